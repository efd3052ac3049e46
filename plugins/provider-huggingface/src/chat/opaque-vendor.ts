/**
 * The vendor of opaque parts: brand and model. The provider behind the router is part of the
 * model's name.
 */
export const opaqueVendor = (brand: string, model: string): string => `huggingface:${brand}:${model}`
