import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { type CompiledHelper, compiledHelper, helperSource } from './compile-helper.js'

/** A helper that does what the compiled one does, more slowly. */
export const pythonHelper = path.join(path.dirname(helperSource), 'confine.py')
const python = '/usr/bin/python3'

/** The compiled helper, else the one in Python; or why there is neither. */
export async function findHelper(compiled: () => Promise<CompiledHelper> = compiledHelper): Promise<CompiledHelper> {
  const made = await compiled()
  if ('path' in made) return made
  try {
    await access(python, constants.X_OK)
    await access(pythonHelper, constants.X_OK)
    return { path: pythonHelper }
  } catch {
    return { missing: `${made.missing}, and ${python} is missing too: install a C compiler (the package “gcc”) or Python 3` }
  }
}
