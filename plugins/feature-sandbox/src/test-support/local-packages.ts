import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Makes a wheel of one module in a folder; answers its name. */
export async function writeWheel(folder: string, name: string, code: string): Promise<string> {
  const source = await mkdtemp(path.join(tmpdir(), 'wheel-'))
  try {
    const info = `${name}-1.0.dist-info`
    const files: Readonly<Record<string, string>> = {
      [`${name}.py`]: code,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: [`${name}.py`, `${info}/METADATA`, `${info}/WHEEL`, `${info}/RECORD`].map((each) => `${each},,\n`).join(''),
    }
    await mkdir(path.join(source, info))
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(source, file), content)
    const wheel = `${name}-1.0-py3-none-any.whl`
    execFileSync('python3', ['-m', 'zipfile', '-c', path.join(folder, wheel), `${name}.py`, info], { cwd: source })
    return wheel
  } finally {
    await rm(source, { recursive: true, force: true })
  }
}
