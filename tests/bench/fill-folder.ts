import { fillFolder } from './seed.ts'

const [folder = '', size = '{}'] = process.argv.slice(2)
fillFolder(folder, JSON.parse(size) as Parameters<typeof fillFolder>[1])
