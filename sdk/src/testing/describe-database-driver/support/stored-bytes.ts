import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The forms in which a store may keep a text: UTF-8, UTF-16 in both orders, hexadecimal digits of
 * it; and each of these of its lower case.
 */
function formsOf(text: string): readonly Buffer[] {
  return [...new Set([text, text.toLowerCase()])].flatMap((form) => {
    const wide = Buffer.from(form, 'utf16le')
    return [Buffer.from(form), wide, Buffer.from(wide).swap16(), Buffer.from(Buffer.from(form).toString('hex'))]
  })
}

/** Every file below a folder whose bytes contain one of the texts, with the text. */
export async function placesOf(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const places: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file)
    for (const text of texts) {
      if (file.includes(text) || formsOf(text).some((form) => content.includes(form))) places.push(`${file} holds ${text}`)
    }
  }
  return places
}

/** Fails with the names of the files below a folder that contain one of the texts. */
export async function assertGone(folder: string, texts: readonly string[]): Promise<void> {
  assert.deepEqual((await placesOf(folder, texts)).slice(0, 5), [])
}
