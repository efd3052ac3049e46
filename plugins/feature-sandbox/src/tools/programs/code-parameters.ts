import { defineError, type JsonObject, type Static, Type, visibleLine } from '@agent-service/sdk'

/** What runs: code or a file. */
export const codeParameters = (language: string, example: string) => ({
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 30_000, description: `The ${language} to run. Give this or file.` })),
  file: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: `A file of your workspace to run, “${example}”, seen from the directory.` }),
  ),
  arguments: Type.Optional(Type.Array(Type.String({ maxLength: 4_000 }), { maxItems: 100, description: 'The arguments of the program.' })),
})

const schema = Type.Object(codeParameters('', ''))

const oneOfBothError = defineError<Record<string, never>>({
  code: 'code_or_file_required',
  status: 422,
  title: 'Code or file required',
  message: () => 'Give either code or file, and not both.',
})

/** @throws `code_or_file_required`. */
export function programOf(input: JsonObject): { readonly code?: string; readonly file?: string; readonly given: readonly string[] } {
  const { code, file, arguments: given = [] } = input as Static<typeof schema>
  if ((code === undefined) === (file === undefined)) throw oneOfBothError.create({})
  // A name that begins with a dash would be an option of the interpreter.
  return { given, ...(code === undefined ? { file: file?.startsWith('-') ? `./${file}` : (file ?? '') } : { code }) }
}

/** The whole program, for the person who approves it. */
export function purposeOf(language: string, input: JsonObject): string {
  const { code, file = '', arguments: given = [] } = input as Static<typeof schema>
  const what = code === undefined ? [file, ...given].join(' ') : code
  return `Run ${language}: ${visibleLine(what)}${code !== undefined && given.length > 0 ? ` (with ${visibleLine(given.join(' '))})` : ''}`
}
