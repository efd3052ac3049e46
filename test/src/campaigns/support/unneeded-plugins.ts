/** Plugins that run code of agents. */
const sandboxes = ['feature-sandbox', 'sandbox-linux', 'sandbox-macos', 'cli-sandbox']

/** Plugins without which a service that only works on tasks starts sooner. */
export const unneededPlugins = ({ sandbox }: { readonly sandbox: boolean }): string =>
  JSON.stringify([
    ...['feature-apps', 'feature-browser', 'feature-channels', 'feature-console', 'feature-mail', 'feature-mcp', 'feature-model-api'],
    ...['feature-search', 'feature-share', 'feature-signals', 'feature-sso', 'feature-telemetry', 'feature-voice', 'provider-anthropic'],
    ...['provider-bedrock', 'provider-cohere', 'provider-gemini', 'provider-huggingface', 'provider-ollama', 'tool-files'],
    ...(sandbox ? [] : sandboxes),
  ])
