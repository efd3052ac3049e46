import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Makes a wheel of one module in a folder; answers its name. Default: version 1.0, which needs nothing. */
export async function writeWheel(
  folder: string,
  name: string,
  code: string,
  { version = '1.0', requires }: { readonly version?: string; readonly requires?: string } = {},
): Promise<string> {
  const source = await mkdtemp(path.join(tmpdir(), 'wheel-'))
  try {
    const info = `${name}-${version}.dist-info`
    const files: Readonly<Record<string, string>> = {
      [`${name}.py`]: code,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires === undefined ? '' : `Requires-Dist: ${requires}\n`}`,
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: [`${name}.py`, `${info}/METADATA`, `${info}/WHEEL`, `${info}/RECORD`].map((each) => `${each},,\n`).join(''),
    }
    await mkdir(path.join(source, info))
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(source, file), content)
    const wheel = `${name}-${version}-py3-none-any.whl`
    execFileSync('python3', ['-m', 'zipfile', '-c', path.join(folder, wheel), `${name}.py`, info], { cwd: source })
    return wheel
  } finally {
    await rm(source, { recursive: true, force: true })
  }
}

/** Makes an archive for npm in a folder; answers its name. The files are below `package`. */
export async function writeArchive(folder: string, name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const source = await mkdtemp(path.join(tmpdir(), 'archive-'))
  try {
    await mkdir(path.join(source, 'package'))
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(source, 'package', file), content)
    execFileSync('tar', ['-czf', path.join(folder, name), '-C', source, 'package'])
    return name
  } finally {
    await rm(source, { recursive: true, force: true })
  }
}
