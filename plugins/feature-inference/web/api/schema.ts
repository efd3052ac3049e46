/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/budgets/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setBudget"];
        post?: never;
        delete: operations["removeBudget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeConfiguration"];
        trace?: never;
    };
    "/api/admin/config/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderAdapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listModelsOfConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/connections/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCredentials"];
        put?: never;
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCredential"];
        put?: never;
        post?: never;
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        patch: operations["changeCredential"];
        trace?: never;
    };
    "/api/admin/credentials/{credential_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/{sign_in_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAccountSignIn"];
        put?: never;
        post?: never;
        delete: operations["cancelAccountSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/{sign_in_id}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["completeAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credentials/sign-in/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["returnFromAccountSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/model-groups/{group}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testModelGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/set-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSetUpProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeSetUpProgress"];
        trace?: never;
    };
    "/api/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageOfAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/admin/users/{user_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUserDataSizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIdentitiesOfUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unlinkIdentityOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessionsOfUser"];
        put?: never;
        post?: never;
        delete: operations["endSessionsOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSessionOfUser"];
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
    "/api/catalogue/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCatalogueBrands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOwnBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModelCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/chats/{chat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageOfChat"];
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
        AccountSignIn: {
            authorization_url?: string;
            brand: string;
            credential_id?: string;
            expires_at: string;
            kind: "device" | "browser";
            message?: string;
            reason?: "denied" | "expired" | "refused" | "unavailable";
            returns_here?: boolean;
            sign_in_id: string;
            state: "pending" | "completed" | "failed" | "cancelled";
            user_code?: string;
            verification_url?: string;
        };
        AdministeredUser: {
            created_at: string;
            disabled: boolean;
            email: string | null;
            email_verified: boolean;
            handle: string;
            has_password: boolean;
            id: string;
            language: string | null;
            name: string | null;
            role: "admin" | "user";
            timezone: string | null;
            updated_at: string;
            username: string;
        };
        AdministeredUserPage: {
            items: components["schemas"]["AdministeredUser"][];
            next_cursor: string | null;
        };
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
        BeginAccountSignIn: {
            brand: string;
            credential_id?: string;
            label?: string;
        };
        Budget: {
            limit_tokens: number | null;
            limit_usd: number | null;
            period: "day" | "month";
            updated_at: string;
            user_id: string;
        };
        BudgetPage: {
            items: components["schemas"]["Budget"][];
            next_cursor: string | null;
        };
        BudgetState: {
            ends_at: string;
            limit_tokens: number | null;
            limit_usd: number | null;
            period: "day" | "month";
            used_tokens: number;
            used_usd: number;
        };
        CatalogueBrand: {
            adapter?: string;
            authentication: string[];
            base_url?: string;
            base_url_pattern?: string;
            default_model?: string;
            documentation?: string;
            enabled: boolean;
            id: string;
            key_variables: string[];
            kind: "built_in" | "compatible";
            name: string;
            protocols: string[];
            reason?: string;
            requires_base_url: boolean;
            sign_in?: "device" | "browser";
        };
        CatalogueBrandPage: {
            items: components["schemas"]["CatalogueBrand"][];
            next_cursor: string | null;
        };
        ChangeConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
        };
        ChangeCredential: {
            api_key?: string;
            label?: string;
        };
        ChangeSetUpProgress: {
            connection?: string | null;
            steps?: {
                [key: string]: "open" | "done" | "skipped";
            };
        };
        ChangeUser: {
            disabled?: boolean;
            email?: string | null;
            email_verified?: boolean;
            language?: string | null;
            name?: string | null;
            password?: string;
            role?: "admin" | "user";
            timezone?: string | null;
        };
        ChatUsage: {
            models: components["schemas"]["ChatUsageSum"][];
        };
        ChatUsageSum: {
            cached_input_tokens: number;
            calls: number;
            cost_usd: number;
            failed_calls: number;
            input_tokens: number;
            model: string;
            output_tokens: number;
            provider: string;
            reasoning_tokens: number;
            unpriced_calls: number;
        };
        CheckConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
        };
        CompleteAccountSignIn: {
            url: string;
        };
        Configuration: {
            file: string;
            lines: {
                [key: string]: number;
            };
            locked: components["schemas"]["LockedPath"][];
            pending: string[];
            problems: components["schemas"]["ConfigurationProblem"][];
            references: {
                [key: string]: string;
            };
            restart_required: boolean;
            revision: string;
            saved: {
                [key: string]: unknown;
            };
            schema: {
                [key: string]: unknown;
            };
            sources: {
                [key: string]: "default" | "file" | "environment";
            };
            values: {
                [key: string]: unknown;
            };
        };
        ConfigurationCheck: {
            overlaps: components["schemas"]["ConfigurationOverlap"][];
            problems: components["schemas"]["ConfigurationProblem"][];
            warnings: string[];
        };
        ConfigurationOverlap: {
            custom: string;
            path: string;
            typed: string;
        };
        ConfigurationProblem: {
            message: string;
            path: string;
        };
        ConnectionTest: {
            checked_at: string;
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            message: string | null;
            model: string | null;
            ok: boolean;
            took_ms: number;
            tools: boolean | null;
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
        CreateCredential: {
            api_key: string;
            brand: string;
            label: string;
        };
        CreateUser: {
            email?: string | null;
            email_verified?: boolean;
            language?: string | null;
            name?: string | null;
            password: string;
            role?: "admin" | "user";
            timezone?: string | null;
            username: string;
        };
        Credential: {
            brand: string;
            check_ok: boolean | null;
            checked_at: string | null;
            connections: string[];
            created_at: string;
            expires_at?: string;
            hint: string;
            id: string;
            kind: "api_key" | "account";
            label: string;
            state: "ready" | "sign_in_needed";
        };
        CredentialCheck: {
            checked_at: string;
            message: string;
            ok: boolean;
        };
        CredentialPage: {
            items: components["schemas"]["Credential"][];
            next_cursor: string | null;
        };
        Event: components["schemas"]["RunFailedEvent"] | components["schemas"]["UsageRecordedEvent"];
        ExternalIdentity: {
            created_at: string;
            email: string | null;
            email_verified: boolean | null;
            id: string;
            issuer: string;
            last_sign_in_at: string;
            subject: string;
        };
        ExternalIdentityPage: {
            items: components["schemas"]["ExternalIdentity"][];
            next_cursor: string | null;
        };
        Failure: {
            code: string;
            http_status?: number;
            message: string;
            model?: string;
            provider?: string;
            provider_failure?: string;
            reason?: string;
            retry_after_secs?: number;
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
        ListModelsOfConnection: {
            adapter?: string;
            api_key?: string;
            aws_profile?: string;
            aws_region?: string;
            azure_api_version?: string;
            base_url?: string;
            credential_id?: string;
            handle?: string;
            provider?: string;
        };
        LockedPath: {
            path: string;
            variable: string;
        };
        ModelCall: {
            agent_id: string | null;
            cache_write_input_tokens: number;
            cached_input_tokens: number;
            chat_id: string | null;
            cost_usd: number | null;
            duration_ms: number;
            estimated: boolean;
            failure: string | null;
            fallback: number;
            first_token_ms: number | null;
            group: string;
            id: string;
            in_one_piece: boolean;
            input_tokens: number;
            model: string;
            outcome: "completed" | "failed" | "cancelled" | "lost";
            output_tokens: number;
            price_version: string | null;
            protocol: string;
            provider: string;
            purpose: string | null;
            reasoning_tokens: number;
            request_id: string | null;
            retries: number;
            run_id: string | null;
            started_at: string;
            stop_reason: string | null;
        };
        ModelCallPage: {
            items: components["schemas"]["ModelCall"][];
            next_cursor: string | null;
        };
        ModelGroup: {
            abilities?: string[];
            brand: string;
            brand_name: string;
            context_window: number;
            embeds?: boolean;
            fallbacks: string[];
            input?: string[];
            local?: boolean;
            max_output_tokens?: number;
            max_tokens?: number;
            model: string;
            name: string;
            price?: components["schemas"]["Price"];
            provider: string;
            title: string;
            tools?: boolean;
        };
        ModelGroupPage: {
            items: components["schemas"]["ModelGroup"][];
            next_cursor: string | null;
        };
        ModelGroupTest: {
            ok: boolean;
            targets: components["schemas"]["ModelTest"][];
        };
        ModelOffer: {
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            message: string | null;
            models: components["schemas"]["OfferedModel"][];
            ok: boolean;
            source: "provider" | "catalogue" | null;
        };
        ModelTest: {
            failure: "authentication" | "quota_exceeded" | "rate_limited" | "overloaded" | "transport" | "timeout" | "truncated" | "context_overflow" | "bad_request" | "model_not_found" | "content_filtered" | "invalid_response" | "wrong_address" | "no_models" | "key_missing" | "unusable" | "internal" | null;
            fallback: number;
            message: string | null;
            model: string;
            ok: boolean;
            provider: string;
            took_ms: number;
            tools: boolean | null;
        };
        ModelUsage: {
            cache_write_input_tokens?: number;
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        OfferedModel: {
            abilities: string[];
            answers: boolean | null;
            context_window: number | null;
            id: string;
            input: string[];
            max_output_tokens: number | null;
            name: string | null;
            price: components["schemas"]["Price"] | null;
            tools: boolean | null;
        };
        OwnBudget: {
            budget: components["schemas"]["BudgetState"] | null;
        };
        Price: {
            cache_write?: number;
            cached_input?: number;
            input: number;
            output: number;
            tiers?: components["schemas"]["PriceTier"][];
        };
        PriceTier: {
            above_input_tokens: number;
            cache_write?: number;
            cached_input?: number;
            input: number;
            output: number;
        };
        PromptSection: {
            name: string;
            source: "shared" | "agent" | "left_out";
            text: string;
        };
        ProviderAdapter: {
            id: string;
            lists_models: boolean;
            name: string;
            protocols: string[];
            requires_base_url: boolean;
        };
        ProviderAdapterPage: {
            items: components["schemas"]["ProviderAdapter"][];
            next_cursor: string | null;
        };
        ProviderConnection: {
            adapter: string | null;
            base_url: string | null;
            brand: string;
            credential_id?: string;
            discovered: boolean;
            groups: string[];
            handle: string;
            key: "saved" | "variable" | "configured" | "none";
            name: string;
            reason?: string;
            state: "ready" | "disabled" | "key_missing" | "unusable";
            variable?: string;
        };
        ProviderConnectionPage: {
            items: components["schemas"]["ProviderConnection"][];
            next_cursor: string | null;
        };
        Run: {
            agent_id: string;
            asking: string[];
            branch_id: string;
            cancel_requested_at: string | null;
            chat_id: string;
            created_at: string;
            failure: components["schemas"]["Failure"] | null;
            finished_at: string | null;
            id: string;
            model_group: string;
            model_source: "message" | "chat" | "agent";
            parent_run_id: string | null;
            retry: components["schemas"]["RunRetry"] | null;
            started_at: string | null;
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            turns: number;
            usage: components["schemas"]["Usage"];
        };
        RunFailedEvent: {
            data: components["schemas"]["RunFailedEventData"];
            event: "run.failed";
            id: string;
        };
        RunFailedEventData: {
            chat_id: string;
            failure?: components["schemas"]["Failure"];
            run: components["schemas"]["Run"];
            run_id: string;
        };
        RunRetry: {
            attempt?: number;
            delay_ms: number;
            failure: string;
            max_attempts?: number;
            next_at: string;
            reason: string;
        };
        SavedConfiguration: {
            locked: components["schemas"]["LockedPath"][];
            restart_required: boolean;
            revision: string;
        };
        Session: {
            address: string;
            created_at: string;
            current: boolean;
            expires_at: string;
            id: string;
            last_used_at: string;
            user_agent: string;
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            next_cursor: string | null;
        };
        SetBudget: {
            limit_tokens?: number;
            limit_usd?: number;
            period: "day" | "month";
        };
        SetUpProgress: {
            connection: string | null;
            steps: {
                [key: string]: "open" | "done" | "skipped";
            };
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        TestConnection: {
            adapter?: string;
            api?: string;
            api_key?: string;
            aws_profile?: string;
            aws_region?: string;
            azure_api_version?: string;
            base_url?: string;
            credential_id?: string;
            handle?: string;
            model?: string;
            provider?: string;
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
        Usage: {
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        UsageRecordedEvent: {
            data: components["schemas"]["UsageRecordedEventData"];
            event: "usage.recorded";
            id: string;
        };
        UsageRecordedEventData: {
            chat_id: string;
            message_id?: string;
            model: string;
            provider: string;
            run_id: string;
            stop_reason?: string;
            usage: components["schemas"]["ModelUsage"];
        };
        UsageSum: {
            agent_id?: string | null;
            cached_input_tokens: number;
            calls: number;
            cost_usd: number;
            day?: string;
            failed_calls: number;
            input_tokens: number;
            model?: string;
            output_tokens: number;
            provider?: string;
            purpose?: string | null;
            reasoning_tokens: number;
            unpriced_calls: number;
            user_id?: string;
        };
        UsageSumPage: {
            items: components["schemas"]["UsageSum"][];
            next_cursor: string | null;
        };
        UserDataSize: {
            bytes: number | null;
            id: string;
            plugin: string;
            raw: boolean;
            records: number | null;
            state: string;
        };
        UserDataSizes: {
            absent_plugins: string[];
            files: components["schemas"]["UserFilesSize"];
            parts: components["schemas"]["UserDataSize"][];
        };
        UserFilesSize: {
            bytes: number;
            max_bytes: number | null;
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
    listBudgets: {
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
                    "application/json": components["schemas"]["BudgetPage"];
                };
            };
        };
    };
    setBudget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBudget"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
        };
    };
    removeBudget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
    getConfiguration: {
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
                    "application/json": components["schemas"]["Configuration"];
                };
            };
        };
    };
    changeConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeConfiguration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedConfiguration"];
                };
            };
        };
    };
    checkConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckConfiguration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationCheck"];
                };
            };
        };
    };
    listProviderConnections: {
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
                    "application/json": components["schemas"]["ProviderConnectionPage"];
                };
            };
        };
    };
    listProviderAdapters: {
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
                    "application/json": components["schemas"]["ProviderAdapterPage"];
                };
            };
        };
    };
    listModelsOfConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListModelsOfConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelOffer"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestConnection"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
        };
    };
    listCredentials: {
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
                    "application/json": components["schemas"]["CredentialPage"];
                };
            };
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredential"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
    changeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCredential"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
        };
    };
    testCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: string;
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
                    "application/json": components["schemas"]["CredentialCheck"];
                };
            };
        };
    };
    beginAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginAccountSignIn"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    getAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
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
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    cancelAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
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
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    completeAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sign_in_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteAccountSignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSignIn"];
                };
            };
        };
    };
    returnFromAccountSignIn: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                iss?: string;
                state?: string;
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
                    "text/plain": string;
                };
            };
        };
    };
    testModelGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
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
                    "application/json": components["schemas"]["ModelGroupTest"];
                };
            };
        };
    };
    getSetUpProgress: {
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
                    "application/json": components["schemas"]["SetUpProgress"];
                };
            };
        };
    };
    changeSetUpProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSetUpProgress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpProgress"];
                };
            };
        };
    };
    getUsageOfAll: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                from?: string;
                group_by?: "day" | "model" | "agent" | "purpose" | "user";
                limit?: number;
                model?: string;
                to?: string;
                user_id?: string;
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
                    "application/json": components["schemas"]["UsageSumPage"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                role?: "admin" | "user";
                search?: string;
                state?: "active" | "disabled";
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
                    "application/json": components["schemas"]["AdministeredUserPage"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUser"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdministeredUser"];
                };
            };
        };
    };
    getUserDataSizes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["UserDataSizes"];
                };
            };
        };
    };
    listIdentitiesOfUser: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["ExternalIdentityPage"];
                };
            };
        };
    };
    unlinkIdentityOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identity_id: string;
                user_id: string;
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
    listSessionsOfUser: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                user_id: string;
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
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
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
    endSessionOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
                user_id: string;
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
    listCatalogueBrands: {
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
                    "application/json": components["schemas"]["CatalogueBrandPage"];
                };
            };
        };
    };
    listModels: {
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
                    "application/json": components["schemas"]["ModelGroupPage"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                from?: string;
                group_by?: "day" | "model" | "agent" | "purpose";
                limit?: number;
                model?: string;
                to?: string;
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
                    "application/json": components["schemas"]["UsageSumPage"];
                };
            };
        };
    };
    getOwnBudget: {
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
                    "application/json": components["schemas"]["OwnBudget"];
                };
            };
        };
    };
    listModelCalls: {
        parameters: {
            query?: {
                chat_id?: string;
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
                    "application/json": components["schemas"]["ModelCallPage"];
                };
            };
        };
    };
    getUsageOfChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chat_id: string;
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
                    "application/json": components["schemas"]["ChatUsage"];
                };
            };
        };
    };
}
