/** Whether a command-line argument looks as if it held a key, a token or a password, which every program could read. */
export const looksSecret = (argument: string): boolean =>
  shapes.some((shape) => shape.test(argument)) || argument.split(between).some(isRandom)

const secretNames = [
  'key', 'apikey', 'token', 'secret', 'password', 'passwd', 'passphrase', 'authorization', 'bearer',
  'credentials?', 'pat',
].join('|')

/** A switch whose value, in the same argument or the next, is a secret by its name. */
const secretSwitch = new RegExp(`^(?:--?|/)?(?:[a-z0-9]+[-_])*(?:${secretNames})(?:[=:\\s]|$)`, 'i')

const shapes = [
  secretSwitch,
  /\bbearer\b/i,
  /\bbasic\s+[A-Za-z0-9+/=]{8,}/i,
  /(?<![A-Za-z0-9])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}/,
  /(?<![A-Za-z0-9])(?:gh[oprsu]|github_pat|glpat|npm|hf|xox[a-z])[-_][A-Za-z0-9_-]{10,}/,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{20,}/,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\./,
  /-----BEGIN/,
  // a name and a password in an address
  /[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/i,
]

/** What parts words, dates and versions of each other; a key goes on without any. */
const between = /[^A-Za-z0-9+]+/

const isRandom = (run: string): boolean =>
  run.length >= anyRunCharacters || (run.length >= mixedRunCharacters && /\d/.test(run) && /[A-Za-z]/.test(run))

const mixedRunCharacters = 20
const anyRunCharacters = 40
