import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import * as z from 'zod'

/** The files of an unpacked browser: its executable, its shared libraries, and a folder of font settings. */
interface UnpackedBrowser {
  executablePath: string
  libraries: string
  fonts: string
}

/** Unpacks the headless Chromium that comes as a development package, once; undefined where there is none to run. */
export async function unpackBrowser(): Promise<UnpackedBrowser | undefined> {
  const packed = await findPackage()
  if (!packed) return undefined
  if (!(await exists(packed.home))) await unpack(packed)
  return {
    executablePath: join(packed.home, 'chromium'),
    libraries: join(packed.home, 'lib'),
    fonts: packed.home,
  }
}

interface PackedBrowser {
  /** Where the packed files are. */
  source: string
  /** Where this version is, or will be, unpacked. */
  home: string
}

async function findPackage(): Promise<PackedBrowser | undefined> {
  // the package holds a program for this one kind of machine
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const entry = resolvePackage()
  if (!entry) return undefined
  const root = join(dirname(entry), '..', '..')
  const { version } = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return { source: join(root, 'bin'), home: join(root, '..', '..', '.cache', `chromium-${version}`) }
}

const Manifest = z.object({ version: z.string() })

function resolvePackage(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@sparticuz/chromium')
  } catch {
    // a development dependency: absent from an installed product
    return undefined
  }
}

/** Unpacks beside the final folder and moves it there whole, so that two at once cannot leave half a browser. */
async function unpack({ source, home }: PackedBrowser) {
  await mkdir(dirname(home), { recursive: true })
  const draft = await mkdtemp(`${home}-`)
  try {
    await Promise.all([
      unpackFile(join(source, 'chromium.br'), join(draft, 'chromium')),
      unpackArchive(join(source, 'al2023.tar.br'), draft),
      unpackArchive(join(source, 'fonts.tar.br'), draft),
      unpackArchive(join(source, 'swiftshader.tar.br'), draft),
    ])
    await writeFile(join(draft, 'fonts.conf'), fontSettings(home))
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(home))) throw error
  }
}

const unpackFile = (packed: string, target: string) =>
  pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(target, { mode: 0o755 }))

async function unpackArchive(packed: string, folder: string) {
  const archive = await promisify(brotliDecompress)(await readFile(packed))
  for (const { name, content } of filesOf(archive)) {
    const target = join(folder, name)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content, { mode: 0o755 })
  }
}

/** The regular files of a tar archive. */
function* filesOf(archive: Buffer) {
  const blockBytes = 512
  const textAt = (start: number, length: number) =>
    archive.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  let header = 0
  while (header < archive.length && archive[header] !== 0) {
    const sizeBytes = Number.parseInt(textAt(header + 124, 12), 8)
    const start = header + blockBytes
    const name = textAt(header, 100)
    // kind '0' is a regular file; a hidden one would be the archiver's own note
    if (textAt(header + 156, 1) === '0' && !basename(name).startsWith('._')) {
      yield { name, content: archive.subarray(start, start + sizeBytes) }
    }
    header = start + Math.ceil(sizeBytes / blockBytes) * blockBytes
  }
}

/** The cache has its full path: a relative one would be the folder that somebody happens to stand in. */
const fontSettings = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(home, 'font-cache')}</cachedir>
</fontconfig>
`

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
