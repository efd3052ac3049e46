import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Begins every text that a test erases; letters alone, so that it is one word of a text index. */
export const marker = 'Zqxmarker'

/** Each with what follows it, for a message that says which text it was. */
const forms = [marker.toLowerCase(), Buffer.from(marker.toLowerCase(), 'utf16le').toString('latin1')].map((form) => ({
  form,
  shown: (text: string, at: number) => text.slice(at, at + form.length + 24).replaceAll(/[^ -~]/g, ''),
}))

/**
 * Where the marker is in some bytes, in UTF-8 or UTF-16 of either order, whatever the case of its
 * letters.
 */
export function markersIn(content: Buffer): readonly string[] {
  const text = content.toString('latin1').toLowerCase()
  const found: string[] = []
  for (const { form, shown } of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) found.push(shown(text, at))
  return found
}

/**
 * Every place below a folder that has the marker, in a name or in a byte of a file. Files and
 * folders that go meanwhile are no place.
 */
export async function markersBelow(folder: string): Promise<readonly string[]> {
  const places: string[] = []
  const visit = async (directory: string): Promise<void> => {
    const entries = await unlessGone(readdir(directory, { withFileTypes: true }))
    for (const entry of entries ?? []) {
      const file = path.join(directory, entry.name)
      if (entry.name.toLowerCase().includes(marker.toLowerCase())) places.push(`${file}: its name`)
      if (entry.isDirectory()) await visit(file)
      if (!entry.isFile()) continue
      const content = await unlessGone(readFile(file))
      if (content) places.push(...markersIn(content).map((text) => `${path.relative(folder, file)}: ${text}`))
    }
  }
  await visit(folder)
  return places
}

async function unlessGone<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
