import { expect, test } from 'vitest'
import { scrubberOf } from '../../../electron/run-files/scrub.ts'

const clean = scrubberOf({
  secrets: ['correct-horse-battery'],
  home: '/home/mira',
  folders: [
    { path: '/home/mira/work place/app', word: '(working folder)' },
    { path: '/var/tmp', word: '(temporary folder)' },
  ],
  roots: ['scratch'],
  names: [
    { name: 'mira', word: 'somebody' }, { name: 'root', word: 'somebody' }, { name: 'greybox', word: 'somewhere' },
  ],
})

test.each([
  ['The key is correct-horse-battery.', 'The key is [secret].'],
  ['ghp_abcdefghijklmnopqrstuvwx', '[secret]'],
  ['in /home/mira/work place/app/src/a.ts:12', 'in (working folder)/src/a.ts:12'],
  ['in /home/mira/notes.md', 'in ~/notes.md'],
  ['file:///home/mira/notes.md', '~/notes.md'],
  ['see /etc/hosts and /home/other/.ssh/id', 'see (path) and (path)'],
  ['mounted at /scratch/a/b.', 'mounted at (path).'],
  ['in /var/tmp/x', 'in (temporary folder)/x'],
  [String.raw`C:\Users\Mira\x.txt`, '(path)'],
  [String.raw`{"at":"C:\\Users\\Mira\\x.txt"}`, '{"at":"(path)"}'],
  ['"/usr/lib/node"', '"(path)"'],
  ['mira@greybox says hello to Mira', 'somebody@somewhere says hello to somebody'],
  ['custom:mira-tool', 'custom:somebody-tool'],
  ['the root cause, as root@greybox', 'the root cause, as somebody@somewhere'],
])('%s becomes %s', (text, cleaned) => {
  expect(clean(text)).toBe(cleaned)
})

test.each([
  'GET /api/users/12 answers 200',
  'https://example.org/home/page and a/b/c and ./src/home/x',
  'either/or, 1/2, and ~/notes.md',
  'admirable, a miracle',
])('%s stays as it is', (text) => {
  expect(clean(text)).toBe(text)
})
