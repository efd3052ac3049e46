import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder that the test removes. */
export const temporaryFolder = (prefix: string): Promise<string> => mkdtemp(path.join(tmpdir(), prefix))
