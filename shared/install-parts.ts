import type { AgentId } from './agent.ts'
import type { System } from './install-recipes.ts'

/** A package that a recipe's own one brings along: on one system the program itself, on every system what it needs. */
export interface InstallPart {
  /** Its name and exact version. */
  spec: string
  system: System | 'every'
  integrity: string
}

/** The parts of an agent's package on a system. Packages that hold all of their program have none. */
export const partsOf = (agent: AgentId, system: string): InstallPart[] =>
  parts.flatMap(([whose, spec, on, hash]) =>
    whose === agent && (on === 'every' || on === system) ? [{ spec, system: on, integrity: `sha512-${hash}` }] : [])

const parts: readonly (readonly [whose: AgentId, spec: string, on: InstallPart['system'], sha512: string])[] = [
  [
    'codex', '@openai/codex@0.171.0-darwin-arm64', 'darwin-arm64',
    'hIYTkRUpuYpkVfTq4cpby0PXqhAVcIgE7f6FoyY1lt2RyARj3GXS1Can/dIYUBItVhXzhb98HYHZNzCX74QRlQ==',
  ],
  [
    'codex', '@openai/codex@0.171.0-darwin-x64', 'darwin-x64',
    'pwN5uNEKx/mZjwBEf/6CKq6SJMfJS5kruV3sJQAk7ebIPvC58Ote3CicIxETDZtjLj35rNv3PLPd7mHCg6hGPw==',
  ],
  [
    'codex', '@openai/codex@0.171.0-linux-arm64', 'linux-arm64',
    '9z17t4bbUJ9UCIb49O4PoA+ki+45q3rd8nZ8PeH6sYnlKkBld/Xpo/OS3h3Ti954+foshX4o7k5TCU8N7zzqQA==',
  ],
  [
    'codex', '@openai/codex@0.171.0-linux-x64', 'linux-x64',
    'l66NZkQgdk2C3pbcfULDz42yEUB581MVA6I+Y43Wp4OIqEy73HCdmZ0GTjeAHY2ycuH4N00d9VsLrwT1jxshTw==',
  ],
  [
    'codex', '@openai/codex@0.171.0-win32-arm64', 'win32-arm64',
    'kkavDHtAkkNaYtO7eBw4IdBbE/PsWP+Ezp9JXcr/mBu/Cc7EevzFVIVC3sZYvWsF9xuvyjIUv9CKeN0LU0+N9Q==',
  ],
  [
    'codex', '@openai/codex@0.171.0-win32-x64', 'win32-x64',
    'HKWBK25tLQxdEg6svw0CrBf+v0bQhRyF8EBVdNqeRxErqpfFa/dfSar6r3sJt6tyPqozOtgz2BH8B2G3n/+gnQ==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-darwin-arm64@2.1.332', 'darwin-arm64',
    'L/F5mypyB7SK59cesiAqGv1bVNd+8xTn0LF5kV6EGL6UMhofVJMFlokhDRoxNzANNC5i/5JdzfJyDOKUbZObiA==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-darwin-x64@2.1.332', 'darwin-x64',
    'i0GV2ejBOeHMXs+XPCd1IaJj1GV3VdZl8hiQD6hLMR/N7f4Nt8q4Edj1GYJCKXPLJa/zsE9Uv6r9rZ/ldVFQPQ==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-linux-arm64@2.1.332', 'linux-arm64',
    'BlHNEtK38KBPWU31F4lUSS9sHclCyfWbThT1CErvxxH8+XcljYLZlQwdyXBkTD62rw1TgfE1u1a+quMWS0NSJg==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-linux-arm64-musl@2.1.332', 'linux-arm64',
    'jdjkkJLfAQ9M1HbT05tZHQpGNZUEPUebYwW/xpiMypZddB0lNlHlB9mXfOVV/UUPO0JCghj1NSQjxhhJc4L4CA==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-linux-x64@2.1.332', 'linux-x64',
    'f4JWhzwYutJIHScC7/dYOPX6s28tt7ZADhsOi8zwOHq5fFPEuUeChh2NMfinSg0GrUckYxaeebC4h0DqiKzLcw==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-linux-x64-musl@2.1.332', 'linux-x64',
    'QoQzwipnqRAdBKDAJNJ2Qvl37G6x8nCugfOQa+nuMcGIRgGEOLeWoq3pTLMQRScL37estAQBGH9ygR3WFVbIfw==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-win32-arm64@2.1.332', 'win32-arm64',
    'rd2vER0bvylh1FHmXH/xC0SjoSF6RCsP+ezmDPR6qJLn+Mm4qfmBNC2JYfAH6KmrYq6u0O8m8YL/R95yAMgNvA==',
  ],
  [
    'claude', '@anthropic-ai/claude-code-win32-x64@2.1.332', 'win32-x64',
    'BqPm3Fqw8LqRooC8QZUVAfaepl+jNb7JV1yp1atCyoU6kpm1CZ7z/6+IUHsrD8ljq/K2yb13obMw0mo3BA5dzw==',
  ],
  [
    'opencode', 'opencode-linux-x64@1.18.33', 'linux-x64',
    'q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==',
  ],
  [
    'opencode', 'opencode-linux-x64-baseline@1.18.33', 'linux-x64',
    '1KQGBiiDDeL/VHHbHkOvvFo8Jr97WT5+C1tear+p7IcDTnXgVHXqIjU4O4jM4mHQzykTP2i884FCnW5LDa+zCA==',
  ],
  [
    'copilot', '@github/copilot-darwin-arm64@1.0.102', 'darwin-arm64',
    'M4Jwxvw9CzxQUVoAz4UFbwFw9SpjUXbMzD481ifFJ+o/GXYJy5+sYxWRSfGhPA9e/w4DlWxdpkSQFnagl/AYbA==',
  ],
  [
    'copilot', '@github/copilot-darwin-x64@1.0.102', 'darwin-x64',
    'n4jBdS+QxrXWiQ9v9tUBZUcJ0hlWVG75Qs3Gzo25BRzlWQSSd5eCNrfOVf4Cr95mAK/L54dne+8rSwASNRG7qA==',
  ],
  [
    'copilot', '@github/copilot-linux-arm64@1.0.102', 'linux-arm64',
    '5rO0B2/AduCekrE+aUzipySKZxZY2b/tVRZ8Suy8ymPFNC0Q7HQiQ8DZhxj+3RhHR8rU2Z8KOJVAbtMlROX6+A==',
  ],
  [
    'copilot', '@github/copilot-linux-x64@1.0.102', 'linux-x64',
    'eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==',
  ],
  [
    'copilot', '@github/copilot-linuxmusl-arm64@1.0.102', 'linux-arm64',
    'PyuqTcgTKd4XrtSRKAQgfIK41cVzHArSNM8f8XS39dQc75aUsKG+MPd5rLwmqqhtbWVFgI+PSS/X18/Qo4EDTg==',
  ],
  [
    'copilot', '@github/copilot-linuxmusl-x64@1.0.102', 'linux-x64',
    'laj1/lFWwkX7P1jAVm2DNNxRljLkhfKI4XDONIA5njiU+PPvWVH38gIvYU+lNTgJ0QT7CSV6Jj2fuqPx0Go+5Q==',
  ],
  [
    'copilot', '@github/copilot-win32-arm64@1.0.102', 'win32-arm64',
    'QhbEEfrAri+TA/S+xpUbOpWrzxfmQj5Ncgn6YF6SoI9zLdF57yt6Bd9sVAxWfsmmI0F2wmlQOHQ+s+7EjXQWgQ==',
  ],
  [
    'copilot', '@github/copilot-win32-x64@1.0.102', 'win32-x64',
    'ShdlICQu/Ei0mRX5J/ioaWUm7Kt6TpUvyQFuhFhS+Vb/7VVDi4/6pJAjcETeUJCHe9lkhF25swzcZXsun/i9Hg==',
  ],
  [
    'amp', '@ampcode/cli@0.0.1790142911-g7618fb', 'every',
    'kt7TCY6UBD1ec4NYLaYTXgW4bW1kaSXfIVmUN3Qnwa2kPdopDwpcHwPBK3PtetyBiB4zFpeua7TX+D4yxR4xJg==',
  ],
  [
    'amp', '@ampcode/cli-linux-x64@0.0.1790142911-g7618fb', 'linux-x64',
    'BsQyuBKf9jYno4vknDM9Mx20iOurO8/G14aaHZCMT1H1TlrOIOWH4//1ZwBll1/AneOxc+mqkoF0f3N/3fr/eA==',
  ],
]
