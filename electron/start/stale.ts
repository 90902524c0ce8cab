import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a product is missing, or older than the newest of its sources; all are full paths, of files or folders. */
export const isStale = async (products: readonly string[], sources: readonly string[]): Promise<boolean> => {
  const madeAt = await Promise.all(products.map(changedAt))
  const writtenAt = await Promise.all(sources.map(newestChange))
  return Math.min(...madeAt) < Math.max(...writtenAt)
}

async function newestChange(path: string): Promise<number> {
  const own = await stat(path)
  if (own.isFile()) return own.mtimeMs
  const inside = await readdir(path, { recursive: true })
  return Math.max(own.mtimeMs, ...(await Promise.all(inside.map((name) => changedAt(join(path, name))))))
}

/** When a file last changed; one that is not there is older than any. */
const changedAt = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
