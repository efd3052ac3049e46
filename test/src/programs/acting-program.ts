import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/**
 * A program that acts for a user: requests each path from standard input, with the current token in
 * its file.
 */
const [file = '', url = ''] = process.argv.slice(2)

for await (const path of createInterface({ input: process.stdin })) {
  const token = await readFile(file, 'utf8')
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.text()
  process.stdout.write(`${JSON.stringify({ status: answer.status, body, digest: createHash('sha256').update(token).digest('hex') })}\n`)
}
