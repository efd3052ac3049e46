/** What the families of protocols are called; one of a plugin is shown by the name that it has. */
const families: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  bedrock: 'Amazon Bedrock',
  cohere: 'Cohere',
  gemini: 'Google Gemini',
  huggingface: 'Hugging Face',
  ollama: 'Ollama',
  openai: 'OpenAI',
}

export const familyName = (name: string): string => families[name] ?? name

/** What single protocols are called by their vendors. */
const protocols: Readonly<Record<string, string>> = {
  'amazon-bedrock-converse': 'Amazon Bedrock: Converse',
  'anthropic-messages': 'Anthropic: Messages',
  'cohere-chat': 'Cohere: Chat',
  completions: 'OpenAI: Chat Completions',
  'google-generate-content': 'Google Gemini: Generate Content',
  huggingface: 'Hugging Face',
  ollama: 'Ollama',
  responses: 'OpenAI: Responses',
}

export const protocolName = (id: string): string => protocols[id] ?? id
