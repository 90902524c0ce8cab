import type { AgentId } from './agent.ts'

/** How one agent is installed: fixed in code, for one exact package. */
export interface InstallRecipe {
  agent: AgentId
  package: string
  version: string
  /** What the registry published for this version; anything else is another package. */
  integrity: string
  /** Whether its own install script has to run: without it the program does not start. */
  scripts: boolean
  /** The oldest Node.js that the program itself runs on: major, minor. */
  node: readonly [number, number]
  /** Where all that it brings is pinned too, or where it brings no program of its own for a system. */
  systems: readonly System[]
}

/** An operating system and a processor, in Node's words. */
export type System = `${'linux' | 'darwin' | 'win32'}-${'x64' | 'arm64'}`

const everySystem: readonly System[] = [
  'linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64',
]

const recipes: readonly InstallRecipe[] = [
  {
    agent: 'codex',
    package: '@openai/codex',
    version: '0.171.0',
    integrity: 'sha512-1IOFzL2Xg86tLdw6kDo3GoKbkQENgQi7TI6rlEvN132R7ngSw7SNOIQoTcnKzSZZ8kf9N9GynCweSoaFbqk2Eg==',
    scripts: false,
    node: [16, 0],
    systems: everySystem,
  },
  {
    agent: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    integrity: 'sha512-tvSh6bLvEbd97APD31AnojOrRC3AmcRj5R8sF8QIQitu3x2ucOb1kKmTkGDw41kjva+CGJfpkt+wYouk6yv56Q==',
    scripts: true,
    node: [18, 0],
    systems: everySystem,
  },
  {
    agent: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    integrity: 'sha512-58P1ffLRXiAY4QeoABqUjqf6DEzm1ihpovvn9Ad+oOLbLiwK/rf88wruT9IATJ7AtNjmi8iA7pC8tN4o5y799Q==',
    scripts: true,
    node: [18, 0],
    systems: ['linux-x64'],
  },
  {
    agent: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    integrity: 'sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==',
    scripts: false,
    node: [20, 0],
    systems: everySystem,
  },
  {
    agent: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    integrity: 'sha512-pmexy/Nj+BKd3Un1ogqGQE8V4GJn5B6N9PQOrU1GH+lMR29kn6Bgf6YdbZa8hNIoTmAKT1LTPK+P8TibZRPPVg==',
    scripts: false,
    node: [22, 0],
    systems: everySystem,
  },
  {
    agent: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    integrity: 'sha512-mv6cTWMhMILxg5ZDgqJ6UsnpPuySCPWOPbZVaO8lL0dpmjY3VD9ZhJr6DFcG7fhUXZv6OmvLdcRCa5MJ6hBI+Q==',
    scripts: false,
    node: [20, 0],
    systems: everySystem,
  },
  {
    agent: 'kimi',
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    integrity: 'sha512-c9rY0DS0xNOraEgUFJ5Cexz6+S3R+PczIwCVCI4eP93xv1xpIbyFLe6wyQl29VR9UMafmfQG6+dIyJcCLEAoBQ==',
    scripts: false,
    node: [22, 19],
    systems: everySystem,
  },
  {
    agent: 'openclaw',
    package: 'openclaw',
    version: '2026.9.6',
    integrity: 'sha512-Ie0kyQSCVfFqixsgVg39vevUDq01Ch5u3+7Yu5Y3qARczmdAe+lzp8bVnO9925rHiW/+CFp70zfORCyPmCH31g==',
    scripts: true,
    node: [24, 16],
    systems: everySystem,
  },
  {
    agent: 'amp',
    package: '@sourcegraph/amp',
    version: '0.0.1790142911-g7618fb',
    integrity: 'sha512-LeGxjmFRylC7iOZMeUrXx+7uTdjlLK+MFqN6BL7phdnMito9yMSDmsQspEJfTUnC9aHxiUbc2QiccWoyQdMH+g==',
    scripts: true,
    node: [20, 0],
    systems: ['linux-x64'],
  },
]

/** The recipe of an agent; `null` for one that this version cannot install. */
export const recipeOf = (agent: AgentId): InstallRecipe | null =>
  recipes.find((recipe) => recipe.agent === agent) ?? null

/** Whether a version that a program says of itself is the one that was installed; some leave out the build. */
export const isVersionOf = (recipe: InstallRecipe, said: string | null): boolean =>
  said !== null && (said === recipe.version || recipe.version.startsWith(`${said}-`))
