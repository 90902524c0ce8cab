import type { Settings } from '../../shared/settings.ts'
import { en } from './en.ts'

type Text = typeof en

const languages: Record<Settings['language'], Text> = { en }

/** The words of the window. A language is one file of this type; `speak` chooses before the window is drawn anew. */
export let text: Text = en

export const speak = (language: Settings['language']) => {
  text = languages[language]
}
