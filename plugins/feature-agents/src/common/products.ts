/** The products whose exports can be imported. */
export const products = ['chatgpt', 'claude', 'open-webui', 'librechat'] as const
export type Product = (typeof products)[number]
