import { type Static, Type } from '@agent-service/sdk'

/** Section `storage`: folders of files. Setting `data_dir` alone moves none of the others. */
export const storageSection = Type.Object(
  {
    data_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}',
      minLength: 1,
      description: 'Root data directory. Files of users are under users/{user_handle}/.',
    }),
    shared_config_dir: Type.String({
      'x-path': true,
      'x-default-path': '{installed_resources}',
      minLength: 1,
      description: 'Shared prompts, agents and policies. Read, never written.',
    }),
    skills_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/skills',
      minLength: 1,
      description: 'Installed shared skills.',
    }),
    cache_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/system/cache',
      minLength: 1,
      description: 'System caches.',
    }),
    ontology_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/ontology',
      minLength: 1,
      description: 'Ontologies of this deployment, loaded with the bundled ones.',
    }),
  },
  { title: 'Storage', description: 'Folders of files.' },
)

export type StorageSection = Static<typeof storageSection>
