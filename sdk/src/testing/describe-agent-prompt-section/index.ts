export {
  describeAgentPromptSection,
  type PromptSectionExample,
  type PromptSectionSuiteOptions,
} from './describe-agent-prompt-section.js'
