/** Compiles the helper at the build. A machine without a compiler uses the slower one in Python. */
import { compiledHelper } from './compile-helper.js'

const made = process.platform === 'linux' ? await compiledHelper() : { path: '' }
if ('missing' in made) process.stderr.write(`The helper of the sandbox was not compiled: ${made.missing}.\n`)
