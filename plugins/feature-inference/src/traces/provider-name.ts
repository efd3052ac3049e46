/** Brands that the GenAI conventions of OpenTelemetry name otherwise than the catalogue does. */
const names: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  xai: 'x_ai',
}

/** The value of `gen_ai.provider.name` for a brand; a brand that the conventions do not know goes by its own name. */
export const providerNameOf = (brand: string): string => names[brand] ?? brand
