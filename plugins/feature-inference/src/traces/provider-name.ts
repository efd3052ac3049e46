/** Brands that the GenAI conventions of OpenTelemetry name differently from the catalogue. */
const names: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  xai: 'x_ai',
}

/** The value of `gen_ai.provider.name` for a brand; its own name if the conventions do not list it. */
export const providerNameOf = (brand: string): string => names[brand] ?? brand
