import { homeOf, type Env } from './environment.ts'

/** What must never leave an adapter: exact secrets, and the home folder, which becomes `~`. */
export interface Hidden {
  secrets: readonly string[]
  home: string | null
}

/** Cleans a text that arrives in pieces; a piece that might still become a secret is held back. */
interface Redactor {
  push(delta: string): string
  /** What is certain if the next delta begins with an empty line. */
  pause(): string
  /** What was held back, cleaned; afterwards the redactor begins anew. */
  end(): string
}

/** Cleans one whole text. */
export const redactText = (text: string, hidden: Hidden): string => {
  const clean = redactor(hidden)
  return clean.push(text) + clean.end()
}

/**
 * The beginning of a text that is still to be cleaned, without the word that the cut would tear: half a secret would
 * not be recognised.
 */
export const beginningOf = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).replace(/\S+$/, '')}…`

/** No secret can be put together again from what `push` and `end` return, wherever the text was cut. */
export const redactor = (hidden: Hidden): Redactor => {
  const words = wordsOf(hidden)
  let held = ''
  /** Where the word begins that `held` ends in, and whether it may hold the beginning of something longer. */
  let wordFrom = 0
  let mayBeOpen = false
  let before = ''
  let inside: 'text' | 'key' | 'block' = 'text'

  const release = (text: string): string => {
    if (text === '') return ''
    const cleaned = scrub(text, before, words)
    before = text.slice(-1)
    return cleaned
  }

  const push = (delta: string): string => {
    const known = held.length
    held = held === '' ? delta : held + delta
    if (inside === 'text') look(known)
    else if (leaveSecret()) look(0)
    else return ''
    const cut = safeCut()
    if (held.length - cut > words.longest * heldTimes) return letGo(cut)
    const out = held.slice(0, cut)
    keep(held.slice(cut), cut)
    return release(out)
  }

  /** A long word that comes in many pieces is not gone through again with each of them. */
  const look = (known: number) => {
    let at = held.length
    while (at > known && isWordPart(held.charCodeAt(at - 1))) at -= 1
    if (at > known || known === 0) wordFrom = at
    mayBeOpen ||= mayOpen.test(held.slice(Math.max(0, known - openingWordMaxCharacters)))
  }

  /** Up to where a text can be let go: not inside a word, nor inside what may become a longer secret. */
  const safeCut = (): number => {
    let cut = wordFrom
    if (mayBeOpen) cut = Math.min(cut, openingAt(held, cut))
    // a cut that spares one may tear another
    for (let spared = -1; spared !== cut;) {
      spared = cut
      for (const word of words.odd) cut = Math.min(cut, beginningAt(held, word), tornBy(held, word, cut))
    }
    return cut
  }

  const keep = (rest: string, cut: number) => {
    held = rest
    wordFrom = Math.max(0, wordFrom - cut)
    if (cut > 0) mayBeOpen &&= mayOpen.test(held)
  }

  const keepAnew = (rest: string) => {
    held = rest
    wordFrom = 0
    mayBeOpen = false
    look(0)
  }

  /** Drops the rest of a secret that was too long to hold; `true` once its end has been seen. */
  const leaveSecret = (): boolean => {
    const end = (inside === 'key' ? keyEnd : blockEnd).exec(held)
    if (!end) {
      held = inside === 'key' ? '' : held.slice(-blockEndMaxCharacters)
      wordFrom = 0
      return false
    }
    held = held.slice(end.index + (inside === 'key' ? 0 : end[0].length))
    inside = 'text'
    return true
  }

  /** Too much is held: its end is an open secret, whose rest is dropped as it comes, or it is a long harmless word. */
  const letGo = (cut: number): string => {
    const open = openSecret(held, cut)
    const cleaned = release(open ? held.slice(0, open.index) : held)
    if (open) {
      keepAnew('')
      inside = open.kind
      before = ']'
      return cleaned + mark
    }
    keepAnew(cleaned.slice(-words.longest))
    return cleaned.slice(0, -words.longest)
  }

  return {
    push,
    pause() {
      const out = push('\n')
      if (held.endsWith('\n')) keepAnew(held.slice(0, -1))
      return out.endsWith('\n') ? out.slice(0, -1) : out
    },
    end() {
      const out = inside === 'text' ? release(held) : ''
      keepAnew('')
      before = ''
      inside = 'text'
      return out
    },
  }
}

/** What of this environment must never be shown: its secrets, and where the person's home folder lies. */
export const hiddenOf = (env: Env, credentials: readonly string[] = []): Hidden => ({
  secrets: secretsOf(env, credentials),
  home: homeOf(env) || null,
})

/** Values of variables whose names say that they are secret, and of those named. Short ones would hide common words. */
export const secretsOf = (env: Env, credentials: readonly string[] = []): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= secretMinCharacters && (secretName.test(name) || credentials.includes(name))
      ? [value]
      : [],
  )

interface Words {
  secrets: readonly string[]
  home: string | null
  /** Those that hold a blank or another character that ends a word: their beginnings must be looked for by hand. */
  odd: readonly string[]
  /** No secret is longer than this before it can be recognised. */
  longest: number
}

const wordsOf = ({ secrets, home }: Hidden): Words => {
  const folder = home && home.length > 1 ? home.replace(/[/\\]+$/, '') : null
  const longestFirst = secrets
    .filter((secret) => secret.length >= secretMinCharacters)
    .toSorted((one, other) => other.length - one.length)
  const all = [...longestFirst, ...(folder ? [folder] : [])]
  return {
    secrets: longestFirst,
    home: folder,
    odd: all.filter(isOdd),
    longest: Math.max(recognisedAfterCharacters, ...all.map((word) => word.length)),
  }
}

const scrub = (text: string, before: string, { secrets, home }: Words): string => {
  let cleaned = text
  for (const secret of secrets) if (cleaned.includes(secret)) cleaned = cleaned.replaceAll(secret, mark)
  if (mayHoldShape.test(cleaned)) cleaned = scrubShapes(cleaned, before)
  return home !== null && cleaned.includes(home) ? shortenHome(cleaned, home, before) : cleaned
}

const scrubShapes = (text: string, before: string): string =>
  text
    .replace(privateKey, mark)
    .replace(bearer, (_, word: string) => `${word} ${mark}`)
    .replace(userInfo, (_, scheme: string) => `${scheme}${mark}@`)
    .replace(keyShape, (key: string, index: number) =>
      isWordCharacter(index === 0 ? before : text.charAt(index - 1)) && index === 0 ? key : mark,
    )

const shortenHome = (text: string, home: string, before: string): string => {
  let shortened = ''
  let from = 0
  for (let at = text.indexOf(home); at >= 0; at = text.indexOf(home, from)) {
    const previous = at === 0 ? before : text.charAt(at - 1)
    const isHome = !isPathCharacter(previous) && !isNameCharacter(text.charAt(at + home.length))
    shortened += text.slice(from, at) + (isHome ? '~' : home)
    from = at + home.length
  }
  return shortened + text.slice(from)
}

const openingAt = (text: string, cut: number): number => {
  const block = text.lastIndexOf('-----BEGIN')
  if (block >= 0 && !blockEnd.test(text.slice(block, cut))) return block
  return openBearer.exec(text)?.index ?? cut
}

/** Where the end of `text` could be the beginning of `word`, or its length. */
const beginningAt = (text: string, word: string): number => {
  for (let at = Math.max(0, text.length - word.length); at < text.length; at += 1) {
    if (text.charCodeAt(at) === word.charCodeAt(0) && word.startsWith(text.slice(at))) return at
  }
  return text.length
}

/** Where a whole `word` stands that a cut would go through, or the cut. */
const tornBy = (text: string, word: string, cut: number): number => {
  const at = text.indexOf(word, Math.max(0, cut - word.length + 1))
  return at >= 0 && at < cut ? at : cut
}

const openSecret = (text: string, from: number): { kind: 'key' | 'block'; index: number } | null => {
  const tail = text.slice(from)
  const block = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.exec(tail)
  if (block) return { kind: 'block', index: from + block.index }
  const key = openKey.exec(tail)
  return key ? { kind: 'key', index: from + key.index } : null
}

const mark = '[secret]'
const secretMinCharacters = 8
const recognisedAfterCharacters = 1_024
const heldTimes = 8
const blockEndMaxCharacters = 64
const openingWordMaxCharacters = 10
const secretName = /(?:API_?KEY|[A-Z]_KEY|^KEY|SECRET|TOKEN|PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?|_PAT)(?:_|$)/i

const shapes = [
  'sk-[A-Za-z0-9_-]{16,}',
  'gh[oprsu]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{16,}',
  '(?:AKIA|ASIA)[A-Z0-9]{12,}',
  'AIza[A-Za-z0-9_-]{30,}',
  'xox[a-z]-[A-Za-z0-9-]{10,}',
  'npm_[A-Za-z0-9]{30,}',
  'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?',
].join('|')
const keyShape = new RegExp(`(?<![A-Za-z0-9])(?:${shapes})`, 'g')
const openKey = new RegExp(`(?<![A-Za-z0-9])(?:${shapes})$|[Bb]earer\\s+[A-Za-z0-9._~+/=-]{12,}$`)
const keyEnd = /[^A-Za-z0-9._~+/=-]/
const bearer = /\b(bearer)\s+[A-Za-z0-9._~+/=-]{12,}/gi
/** Up to the end of the word: where a quotation mark follows the key, that is no place to cut either. */
const openBearer = /\bbearer(?:\s+[!-~]*)?$/i
const userInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]*:[^\s/@"'<>]+@/gi
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[\s\S]*$)/g
const blockEnd = /-----END [A-Z ]*-----/
const mayHoldShape = /sk-|gh[oprsu]_|github_pat_|glpat-|AKIA|ASIA|AIza|xox|npm_|eyJ|bearer|-----BEGIN|:\/\/[^\s/]*@/i
const mayOpen = /bearer|-----BEGIN/i

const isOdd = (word: string) => /[^!-~]/.test(word)
/** Printable ASCII: what a key, a path or an address is made of. */
const isWordPart = (code: number) => code > 0x20 && code < 0x7f
const isWordCharacter = (character: string) => /^[A-Za-z0-9]$/.test(character)
const isNameCharacter = (character: string) => /^[A-Za-z0-9_-]$/.test(character)
const isPathCharacter = (character: string) => /^[A-Za-z0-9_.~/\\-]$/.test(character)
