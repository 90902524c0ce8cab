import type { ProviderKind } from './provider.ts'

/** A provider that is known by its name: whoever says the name means this address. */
interface ProviderPreset {
  id: string
  name: string
  baseUrl: string
}

const openai: ProviderPreset = { id: 'openai', name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' }
const openrouter: ProviderPreset = { id: 'openrouter', name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' }
const moonshot: ProviderPreset = { id: 'moonshot', name: 'Moonshot', baseUrl: 'https://api.moonshot.ai/v1' }
const deepseek: ProviderPreset = { id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1' }
const ollama: ProviderPreset = { id: 'ollama', name: 'Ollama on this computer', baseUrl: 'http://127.0.0.1:11434/v1' }

/** The presets of each agent, in the protocol that it speaks with its provider. */
export const providerPresets: Readonly<Record<ProviderKind, readonly ProviderPreset[]>> = {
  codex: [openai],
  claude: [
    { id: 'anthropic', name: 'Anthropic', baseUrl: 'https://api.anthropic.com' },
    { id: 'moonshot', name: 'Moonshot', baseUrl: 'https://api.moonshot.ai/anthropic' },
    { id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/anthropic' },
  ],
  opencode: [openai, openrouter, deepseek, ollama],
  gemini: [{ id: 'google', name: 'Google', baseUrl: 'https://generativelanguage.googleapis.com' }],
  qwen: [
    {
      id: 'model-studio',
      name: 'Alibaba Model Studio',
      baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    },
    openrouter,
    ollama,
  ],
  copilot: [openai],
  kimi: [moonshot],
  openclaw: [openai, openrouter, ollama],
}
