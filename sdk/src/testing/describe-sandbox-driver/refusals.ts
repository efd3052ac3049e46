/** Whether an error has this code, whichever copy of the SDK made it. */
export const isError =
  (...codes: readonly string[]) =>
  (error: unknown): boolean =>
    codes.includes((error as { readonly code?: string }).code ?? '')
