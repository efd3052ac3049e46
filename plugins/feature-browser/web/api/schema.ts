/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
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
    "/api/browser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["forgetBrowserProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["closeBrowserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/browser/sessions/{id}/screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowserScreenshot"];
        put?: never;
        post?: never;
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
        BrowserSession: {
            agent_handle: string;
            agent_id: string;
            chat_id: string;
            id: string;
            last_used_at: string;
            opened_at: string;
            screenshot_url: string;
            tabs: number;
            title: string;
            url: string;
        };
        BrowserState: {
            available: boolean;
            profiles: number;
            reason: string | null;
            sessions: components["schemas"]["BrowserSession"][];
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
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
    getBrowser: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["BrowserState"];
                };
            };
        };
    };
    forgetBrowserProfile: {
        parameters: {
            query?: {
                agent_id?: string;
            };
            header?: never;
            path?: never;
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
    closeBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
    getBrowserScreenshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
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
                    "image/jpeg": string;
                };
            };
        };
    };
}
