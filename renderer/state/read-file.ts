/** The content of a file in base64. Rejects when it cannot be read. */
export const readBase64 = async (file: Blob): Promise<string> => {
  const address = await readBy(file, 'readAsDataURL')
  return address.slice(address.indexOf(',') + 1)
}

/** The content of a file as text. Rejects when it cannot be read. */
export const readText = (file: Blob): Promise<string> => readBy(file, 'readAsText')

const readBy = (file: Blob, way: 'readAsDataURL' | 'readAsText'): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(new Error('The file could not be read.')))
    reader[way](file)
  })
