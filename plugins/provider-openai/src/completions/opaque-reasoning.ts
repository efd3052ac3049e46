/** The vendor of opaque parts: brand and model, since signatures are bound to both. */
export const opaqueVendor = (brand: string, model: string): string => `openai-completions:${brand}:${model}`
