/** Connections and models are applied without a question: a change only adds to what can be chosen, and answers go on. */
export const isHarmless = (path: string): boolean => /^(providers|models)([.[]|$)/.test(path)
