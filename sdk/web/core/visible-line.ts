export { visibleLine } from '@agent-service/sdk'
