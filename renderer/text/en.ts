import { agents } from './en/agents.ts'
import { count, list } from './en/counting.ts'
import { custom } from './en/custom.ts'
import { errors } from './en/errors.ts'
import { gates } from './en/gates.ts'
import { install } from './en/install.ts'
import { images } from './en/images.ts'
import { causes, elseInto, events, guards, states, stateTips } from './en/machines.ts'
import { keeping } from './en/keeping.ts'
import { map } from './en/map.ts'
import { past } from './en/past.ts'
import { providers } from './en/providers.ts'
import { record } from './en/record.ts'
import { setup } from './en/setup.ts'
import * as words from './en/states.ts'
import { talk } from './en/talk.ts'
import { window } from './en/window.ts'

/** Every visible word in English. Another language is one more object of this shape. */
export const en = {
  name: 'Parley',
  titleWaiting: (n: number) => `(${n}) Parley`,
  locale: 'en',
  count,
  list,
  ...words,
  states,
  stateTips,
  events,
  guards,
  elseInto,
  causes,
  errors,
  ...window,
  ...setup,
  ...custom,
  ...talk,
  ...gates,
  ...install,
  ...providers,
  ...record,
  ...images,
  ...map,
  ...past,
  ...keeping,
  ...agents,
}
