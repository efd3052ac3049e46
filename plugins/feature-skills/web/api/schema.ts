/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSharedSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSharedSkillAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putSharedSkillFile"];
        post?: never;
        delete: operations["deleteSharedSkillFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/{name}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/skills/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadSharedSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/agents/{agent_id}/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["adoptSharedAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/grants/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["diffAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreAgentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSkills"];
        put?: never;
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkill"];
        put?: never;
        post?: never;
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkSkill"];
        put?: never;
        post: operations["checkSkillAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSkillFile"];
        put: operations["putSkillFile"];
        post?: never;
        delete: operations["deleteSkillFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/{source}/{name}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["installSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["validateSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            approval: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar: string;
            created_at: string;
            description: string;
            enabled: boolean;
            handle: string;
            id: string;
            instructions: string;
            limits: components["schemas"]["AgentLimits"];
            memory: components["schemas"]["AgentMemory"];
            model_group: string;
            name: string;
            prompts: {
                [key: string]: string | null;
            };
            sandbox: components["schemas"]["AgentSandbox"];
            shared: components["schemas"]["SharedAgent"] | null;
            skills: string[];
            titles: components["schemas"]["AgentTitles"];
            tools: string[];
            updated_at: string;
            version: number;
            warnings: components["schemas"]["AgentWarning"][];
            workspace: string;
        };
        AgentAuthor: {
            id: string | null;
            kind: "person" | "token" | "service";
        };
        AgentChange: {
            after?: unknown;
            before?: unknown;
            patch?: string;
            path: string;
        };
        AgentDefinition: {
            approval: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar: string;
            description: string;
            enabled: boolean;
            handle: string;
            instructions: string;
            limits: components["schemas"]["AgentLimits"];
            memory: components["schemas"]["AgentMemory"];
            model_group: string;
            name: string;
            prompts: {
                [key: string]: string | null;
            };
            sandbox: components["schemas"]["AgentSandbox"];
            skills: string[];
            titles: components["schemas"]["AgentTitles"];
            tools: string[];
        };
        AgentLimits: {
            max_output_tokens?: number;
            max_run_secs?: number;
            max_tool_turns?: number;
        };
        AgentMemory: {
            enabled: boolean;
        };
        AgentPage: {
            items: components["schemas"]["Agent"][];
            next_cursor: string | null;
        };
        AgentPrompt: {
            sections: components["schemas"]["PromptSection"][];
            text: string;
        };
        AgentSandbox: {
            network: boolean;
        };
        AgentTitles: {
            enabled: boolean;
        };
        AgentVersion: {
            agent_id: string;
            by: components["schemas"]["AgentAuthor"];
            cause: "created" | "shared" | "changed" | "restored" | "adopted";
            changed: string[];
            created_at: string;
            current: boolean;
            definition: components["schemas"]["AgentDefinition"];
            number: number;
            restored_from: number | null;
        };
        AgentVersionDiff: {
            against: number | null;
            agent_id: string;
            changes: components["schemas"]["AgentChange"][];
            number: number;
        };
        AgentWarning: {
            message: string;
            path: string;
        };
        CreateAgent: {
            approval?: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar?: string;
            description?: string;
            enabled?: boolean;
            handle?: string;
            instructions?: string;
            limits?: components["schemas"]["AgentLimits"];
            memory?: components["schemas"]["AgentMemory"];
            model_group?: string;
            name: string;
            prompts?: {
                [key: string]: string | null;
            };
            sandbox?: components["schemas"]["AgentSandbox"];
            skills?: string[];
            titles?: components["schemas"]["AgentTitles"];
            tools?: string[];
        };
        CreateSharedSkill: {
            description: string;
            name: string;
        };
        CreateSkill: {
            agent_id?: string;
            description: string;
            name: string;
        };
        Event: components["schemas"]["SkillUpdatedEvent"];
        Grant: {
            agent_id: string;
            applies: boolean;
            granted_at: string;
            label: string;
            scope: string;
            tool: string;
        };
        GrantPage: {
            items: components["schemas"]["Grant"][];
            next_cursor: string | null;
        };
        InstallSharedSkill: {
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
            from?: string;
            replace?: boolean;
            url?: string;
        };
        InstallSkill: {
            agent_id?: string;
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
            from?: string;
            replace?: boolean;
            url?: string;
        };
        ListedAgentVersion: {
            agent_id: string;
            by: components["schemas"]["AgentAuthor"];
            cause: "created" | "shared" | "changed" | "restored" | "adopted";
            changed: string[];
            created_at: string;
            current: boolean;
            number: number;
            restored_from: number | null;
        };
        ListedAgentVersionPage: {
            items: components["schemas"]["ListedAgentVersion"][];
            next_cursor: string | null;
        };
        PackedSkillFile: {
            content: string;
            path: string;
        };
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        Skill: {
            agent_id: string | null;
            allowed_tools: string[];
            compatibility: string | null;
            description: string;
            license: string | null;
            metadata: {
                [key: string]: string;
            };
            modified_at: string | null;
            name: string;
            problem: components["schemas"]["SkillProblem"] | null;
            shadowed_by: "bundled" | "shared" | "user" | "agent" | null;
            source: "bundled" | "shared" | "user" | "agent";
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillAddressCheck: {
            name: string;
            sha256: string;
            state: "unchanged" | "changed";
            version: string | null;
        };
        SkillCheck: {
            added: string[];
            changed: string[];
            installation: components["schemas"]["SkillInstallation"] | null;
            name: string;
            removed: string[];
            sha256: string;
            source: "bundled" | "shared" | "user" | "agent";
            state: "unchanged" | "changed" | "not_installed";
        };
        SkillDetails: {
            agent_id: string | null;
            allowed_tools: string[];
            compatibility: string | null;
            description: string;
            files: components["schemas"]["SkillFile"][];
            installation: components["schemas"]["SkillInstallation"] | null;
            license: string | null;
            metadata: {
                [key: string]: string;
            };
            modified_at: string | null;
            name: string;
            problem: components["schemas"]["SkillProblem"] | null;
            shadowed_by: "bundled" | "shared" | "user" | "agent" | null;
            source: "bundled" | "shared" | "user" | "agent";
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillExamination: {
            bytes: number;
            description: string;
            files: number;
            name: string;
            warnings: components["schemas"]["SkillProblem"][];
        };
        SkillFile: {
            etag: string;
            modified_at: string;
            path: string;
            size: number;
        };
        SkillInstallation: {
            from: string | null;
            installed_at: string;
            origin: "archive" | "folder" | "url" | "created";
            sha256: string;
            version: string | null;
        };
        SkillPage: {
            items: components["schemas"]["Skill"][];
            next_cursor: string | null;
        };
        SkillProblem: {
            file: string;
            line: number;
            message: string;
        };
        SkillUpdatedEvent: {
            data: components["schemas"]["SkillUpdatedEventData"];
            event: "skill.updated";
            id: string;
        };
        SkillUpdatedEventData: {
            agent_id?: string;
            change: "created" | "installed" | "edited" | "removed";
            name: string;
            source: "shared" | "user" | "agent";
        };
        UpdateAgent: {
            approval?: {
                [key: string]: "never" | "first_time" | "always";
            };
            avatar?: string;
            description?: string;
            enabled?: boolean;
            handle?: string;
            instructions?: string;
            limits?: components["schemas"]["AgentLimits"];
            memory?: components["schemas"]["AgentMemory"];
            model_group?: string;
            name?: string;
            prompts?: {
                [key: string]: string | null;
            };
            sandbox?: components["schemas"]["AgentSandbox"];
            skills?: string[];
            titles?: components["schemas"]["AgentTitles"];
            tools?: string[];
        };
        ValidateSkill: {
            archive?: string;
            files?: components["schemas"]["PackedSkillFile"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSharedSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    deleteSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkSharedSkillAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAddressCheck"];
                };
            };
        };
    };
    putSharedSkillFile: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillFile"];
                };
            };
        };
    };
    deleteSharedSkillFile: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    installSharedSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallSharedSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    uploadSharedSkill: {
        parameters: {
            query?: {
                from?: string;
                replace?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgent"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    adoptSharedAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listGrants: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantPage"];
                };
            };
        };
    };
    deleteGrant: {
        parameters: {
            query?: {
                scope?: string;
            };
            header?: never;
            path: {
                agent_id: string;
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAgentPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPrompt"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedAgentVersionPage"];
                };
            };
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersion"];
                };
            };
        };
    };
    diffAgentVersion: {
        parameters: {
            query?: {
                against?: number;
            };
            header?: never;
            path: {
                agent_id: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionDiff"];
                };
            };
        };
    };
    restoreAgentVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillPage"];
                };
            };
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillCheck"];
                };
            };
        };
    };
    checkSkillAddress: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillAddressCheck"];
                };
            };
        };
    };
    getSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "bundled" | "shared" | "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    putSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillFile"];
                };
            };
        };
    };
    deleteSkillFile: {
        parameters: {
            query?: {
                agent_id?: string;
                path?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSkill: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path: {
                name: string;
                source: "user" | "agent";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    installSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallSkill"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    uploadSkill: {
        parameters: {
            query?: {
                agent_id?: string;
                from?: string;
                replace?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetails"];
                };
            };
        };
    };
    validateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateSkill"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillExamination"];
                };
            };
        };
    };
}
