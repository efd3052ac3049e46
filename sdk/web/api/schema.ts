/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
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
    "/api/admin/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRestart"];
        put?: never;
        post: operations["restart"];
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
    "/api/auth/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuthConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOwnProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeOwnProfile"];
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/diagrams/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsoleDiagramFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/pages/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsolePageFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFileContent"];
        put: operations["putFileContent"];
        post?: never;
        delete: operations["deleteFileContent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUploads"];
        put?: never;
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/api/memory/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMemoryStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProcesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProcess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProcessOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/output/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamProcessOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/processes/{process_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/terminals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openTerminal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/terminals/{process_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["connectTerminal"];
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
        AgentFileAccess: {
            denied: string[];
            readable: string[];
            refused: string | null;
            writable: string[];
        };
        AgentLimits: {
            max_output_tokens?: number;
            max_run_secs?: number;
            max_tool_turns?: number;
        };
        AgentMemory: {
            enabled: boolean;
        };
        AgentNetworkAccess: {
            access: "off" | "policies";
            asked: components["schemas"]["AskedDestination"] | null;
            default_access: boolean;
            reason: string;
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
        AgentSandboxAccess: {
            agent_id: string;
            files: components["schemas"]["AgentFileAccess"];
            limits: components["schemas"]["AgentSandboxLimits"];
            network: components["schemas"]["AgentNetworkAccess"];
        };
        AgentSandboxLimits: {
            max_cpu_pct: number;
            max_memory_pct: number;
            max_processes: number;
            max_running: number;
            memory_bytes: number;
            timeout_secs: number;
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
        AskedDestination: {
            allowed: boolean;
            host: string;
            port: number;
        };
        AuthConfiguration: {
            allow_registration: boolean;
            demo: boolean;
            local_auth: boolean;
            needs_account: boolean;
            needs_setup: boolean;
            registration: "open" | "approval" | "closed";
            signed_in: boolean;
            sso: components["schemas"]["SingleSignOn"];
        };
        ChangeConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
        };
        ChangeOwnProfile: {
            email?: string | null;
            language?: string | null;
            name?: string | null;
            timezone?: string | null;
        };
        CheckConfiguration: {
            reset?: string[];
            set?: {
                [key: string]: unknown;
            };
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
        Event: components["schemas"]["ResetEvent"] | components["schemas"]["RunCancelledEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["ToolCallFinishedEvent"];
        EventData: components["schemas"]["ResetEventData"] | components["schemas"]["RunCancelledEventData"] | components["schemas"]["RunCompletedEventData"] | components["schemas"]["RunFailedEventData"] | components["schemas"]["ToolCallFinishedEventData"];
        EventType: {
            description: string;
            kind: "state" | "delta";
            name: string;
            plugin: string;
            schema: unknown;
        };
        EventTypes: {
            types: components["schemas"]["EventType"][];
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
        FilePart: {
            data?: string;
            etag?: string;
            media_type: string;
            name: string;
            path?: string;
            size?: number;
            type: "file";
            url?: string;
            workspace_paths?: string[];
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
        ImagePart: {
            data?: string;
            etag?: string;
            media_type: string;
            name?: string;
            path?: string;
            size?: number;
            type: "image";
            url?: string;
            workspace_paths?: string[];
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
        LockedPath: {
            path: string;
            variable: string;
        };
        Login: {
            password: string;
            username: string;
        };
        MadeFile: {
            call_id: string;
            etag?: string;
            media_type?: string;
            name: string;
            path: string;
            size: number;
        };
        MemoryStatus: {
            available: boolean;
            backend: string;
            last_sweep: components["schemas"]["MemorySweep"] | null;
            moving: boolean;
            supports: components["schemas"]["MemorySupport"];
            title: string | null;
        };
        MemorySupport: {
            history: boolean;
            passes: boolean;
            revisions: boolean;
            sweep: boolean;
        };
        MemorySweep: {
            failed: boolean;
            finished_at: string | null;
            started_at: string;
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
        OpenTerminal: {
            agent_id: string;
            columns: number;
            directory?: string;
            rows: number;
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
        ResetEvent: {
            data: components["schemas"]["ResetEventData"];
            event: "reset";
            id: string;
        };
        ResetEventData: {
            reason: "not_kept" | "too_slow";
        };
        Restarting: {
            status: "restarting" | "waiting";
            work: components["schemas"]["RestartWork"];
        };
        RestartState: {
            status: "none" | "waiting" | "restarting";
            work: components["schemas"]["RestartWork"];
        };
        RestartWork: {
            calls: number;
            ends: number;
            requests: number;
            resumes: number;
        };
        ResultPart: components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"];
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
        RunCancelledEvent: {
            data: components["schemas"]["RunCancelledEventData"];
            event: "run.cancelled";
            id: string;
        };
        RunCancelledEventData: {
            chat_id: string;
            failure?: components["schemas"]["Failure"];
            run: components["schemas"]["Run"];
            run_id: string;
        };
        RunCompletedEvent: {
            data: components["schemas"]["RunCompletedEventData"];
            event: "run.completed";
            id: string;
        };
        RunCompletedEventData: {
            chat_id: string;
            run: components["schemas"]["Run"];
            run_id: string;
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
        SandboxActor: {
            handle: string | null;
            id: string;
            kind: string;
        };
        SandboxExit: {
            code: number | null;
            cpu_ms: number | null;
            peak_memory_bytes: number | null;
            reason: string;
            signal: string | null;
        };
        SandboxFence: {
            by: string;
            reason: string;
            state: "closed" | "partial" | "open";
        };
        SandboxFences: {
            destinations: components["schemas"]["SandboxFence"];
            files: components["schemas"]["SandboxFence"];
            limits: components["schemas"]["SandboxFence"];
            network: components["schemas"]["SandboxFence"];
            processes: components["schemas"]["SandboxFence"];
        };
        SandboxMachine: {
            memory_bytes: number;
            principals: number;
            processors: number;
            running: number;
        };
        SandboxOutput: {
            ended: boolean;
            next_from: number;
            pieces: components["schemas"]["SandboxOutputPiece"][];
            skipped: boolean;
        };
        SandboxOutputPiece: {
            from: number;
            stream: "stdout" | "stderr" | "terminal";
            text: string;
        };
        SandboxProcess: {
            actor: components["schemas"]["SandboxActor"];
            background: boolean;
            ended_at: string | null;
            exit: components["schemas"]["SandboxExit"] | null;
            id: string;
            kind: string;
            output_bytes: number;
            started_at: string;
            terminal: boolean;
            title: string;
        };
        SandboxProcessPage: {
            items: components["schemas"]["SandboxProcess"][];
            next_cursor: string | null;
        };
        SandboxSettings: {
            default_network_access: boolean;
            max_cpu_pct: number;
            max_memory_pct: number;
            max_total_cpu_pct: number;
            max_total_memory_pct: number;
            package_min_age_days: number;
            timeout_secs: number;
        };
        SandboxStatus: {
            confines: boolean;
            disabled: boolean;
            driver: string | null;
            fences: components["schemas"]["SandboxFences"] | null;
            limits: components["schemas"]["SandboxSettings"];
            machine: components["schemas"]["SandboxMachine"] | null;
            mode: string;
            reason: string | null;
        };
        SavedConfiguration: {
            locked: components["schemas"]["LockedPath"][];
            restart_required: boolean;
            revision: string;
        };
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        SignedIn: {
            access_token: string;
            expires_in: number;
            token_type: "Bearer";
            user: components["schemas"]["User"];
        };
        SingleSignOn: {
            enabled: boolean;
        };
        StoredFile: {
            etag: string;
            modified_at: string;
            path: string;
            size: number;
        };
        TextPart: {
            text: string;
            type: "text";
        };
        Tool: {
            approval: "never" | "first_time" | "always" | null;
            available: boolean;
            description: string | null;
            display: components["schemas"]["ToolDisplay"] | null;
            effect: "read" | "idempotent" | "checkable" | "unsafe" | null;
            message: string | null;
            name: string;
            parameters: components["schemas"]["ToolParameters"] | null;
            plugin_id: string | null;
            reason: "policy" | "withheld" | "not_found" | null;
            source: string | null;
            title: string | null;
        };
        ToolCallFinishedEvent: {
            data: components["schemas"]["ToolCallFinishedEventData"];
            event: "tool_call.finished";
            id: string;
        };
        ToolCallFinishedEventData: {
            call_id: string;
            chat_id: string;
            content: components["schemas"]["ResultPart"][];
            files?: components["schemas"]["MadeFile"][];
            is_error: boolean;
            message_id: string;
            outcome?: string;
            part: number;
            run_id: string;
        };
        ToolDisplay: {
            icon?: "agent" | "book" | "browser" | "clock" | "code" | "file" | "folder" | "key" | "mail" | "memory" | "package" | "person" | "search" | "share" | "task" | "terminal" | "tool" | "web";
            words: {
                [key: string]: components["schemas"]["ToolWords"];
            };
        };
        ToolParameters: {
            [key: string]: unknown;
        };
        ToolWords: {
            ask: string | string[];
            done: string | string[];
            failed: string | string[];
            running: string | string[];
            title: string;
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
        Upload: {
            expires_at: string;
            id: string;
            last_modified: string | null;
            offset: number;
            path: string;
            size: number;
        };
        UploadPage: {
            items: components["schemas"]["Upload"][];
            next_cursor: string | null;
        };
        Usage: {
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
        };
        User: {
            created_at: string;
            email: string | null;
            email_verified: boolean;
            handle: string;
            id: string;
            language: string | null;
            name: string | null;
            role: "admin" | "user";
            timezone: string | null;
            updated_at: string;
            username: string;
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
    getRestart: {
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
                    "application/json": components["schemas"]["RestartState"];
                };
            };
        };
    };
    restart: {
        parameters: {
            query?: {
                when?: "quiet" | "now";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restarting"];
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
    getAuthConfiguration: {
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
                    "application/json": components["schemas"]["AuthConfiguration"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
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
    getOwnProfile: {
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
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changeOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOwnProfile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    refresh: {
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
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    getConsoleDiagramFrame: {
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
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getConsolePageFrame: {
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
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                after?: string;
                chat_id?: string;
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
                    "text/event-stream": components["schemas"]["EventData"];
                };
            };
        };
    };
    listEventTypes: {
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
                    "application/json": components["schemas"]["EventTypes"];
                };
            };
        };
    };
    getFileContent: {
        parameters: {
            query: {
                path: string;
                view?: "inline";
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
                    "application/octet-stream": string;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putFileContent: {
        parameters: {
            query: {
                path: string;
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
        };
    };
    deleteFileContent: {
        parameters: {
            query: {
                path: string;
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
    listUploads: {
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
                    "application/json": components["schemas"]["UploadPage"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
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
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
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
    appendToUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getMemoryStatus: {
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
                    "application/json": components["schemas"]["MemoryStatus"];
                };
            };
        };
    };
    getSandbox: {
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
                    "application/json": components["schemas"]["SandboxStatus"];
                };
            };
        };
    };
    getAgentSandbox: {
        parameters: {
            query?: {
                host?: string;
                port?: number;
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
                    "application/json": components["schemas"]["AgentSandboxAccess"];
                };
            };
        };
    };
    listProcesses: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                limit?: number;
                state?: "running" | "ended";
                terminal?: boolean;
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
                    "application/json": components["schemas"]["SandboxProcessPage"];
                };
            };
        };
    };
    getProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    getProcessOutput: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxOutput"];
                };
            };
        };
    };
    streamProcessOutput: {
        parameters: {
            query?: {
                from?: number;
            };
            header?: never;
            path: {
                process_id: string;
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
                    "text/event-stream": string;
                };
            };
        };
    };
    stopProcess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                process_id: string;
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
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    openTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenTerminal"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxProcess"];
                };
            };
        };
    };
    connectTerminal: {
        parameters: {
            query?: {
                from?: number;
                watch?: boolean;
            };
            header?: never;
            path: {
                process_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
