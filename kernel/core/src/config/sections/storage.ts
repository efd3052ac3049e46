import { type Static, Type } from '@agent-service/sdk'

/** Section `storage`: folders of files. Setting `data_dir` does not move the others. */
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
      'x-no-effect': 'Skills are not part of this version.',
      minLength: 1,
      description: 'Installed shared skills.',
    }),
    cache_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/system/cache',
      minLength: 1,
      description: 'System caches, such as the refreshed catalogue of models. May be emptied at any time.',
    }),
    max_bytes_per_user: Type.Optional(
      Type.Integer({
        minimum: 1,
        'x-unit': 'bytes',
        'x-default-text': 'unlimited',
        description: 'Maximum size of all files of one user. A write beyond it is refused.',
      }),
    ),
    ontology_dir: Type.String({
      'x-path': true,
      'x-default-path': '{server_data_dir}/ontology',
      'x-no-effect': 'Ontologies are not part of this version.',
      minLength: 1,
      description: 'Ontologies of this deployment, loaded with the bundled ones.',
    }),
  },
  { title: 'Storage', description: 'Folders of files.' },
)

export type StorageSection = Static<typeof storageSection>
