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
    "/api/schedules/next-times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNextTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTasks"];
        put?: never;
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        patch: operations["updateTask"];
        trace?: never;
    };
    "/api/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTaskExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelTaskExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/executions/{execution_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskExecutionLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTaskTree"];
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
        AlwaysCheck: {
            kind: "always";
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
        CreateTask: {
            agent?: string;
            check?: components["schemas"]["AlwaysCheck"] | components["schemas"]["FileCheck"] | components["schemas"]["TasksCheck"];
            due_at?: string | null;
            instruction: string;
            kind?: "task" | "reminder" | "heartbeat";
            max_retries?: number;
            max_runs?: number;
            max_seconds?: number;
            max_tokens?: number;
            missed?: "once" | "skip" | "all";
            model_group?: string | null;
            notify?: "always" | "failures" | "never";
            result?: components["schemas"]["NewTaskResultForm"] | null;
            retry_delay_secs?: number;
            schedule?: components["schemas"]["NewTaskSchedule"] | null;
            spread_secs?: number;
            title?: string;
            tool_failures?: "fail" | "allow";
            tools?: string[] | null;
        };
        Event: components["schemas"]["TaskUpdatedEvent"];
        FileCheck: {
            kind: "file";
            path: string;
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
        NewTaskResultForm: {
            name: string;
            schema: {
                [key: string]: unknown;
            };
        };
        NewTaskSchedule: {
            cron: string;
            timezone?: string | null;
        };
        NextTimes: {
            times: string[];
            timezone: string;
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
        SharedAgent: {
            handle: string;
            update_available: boolean;
        };
        Task: {
            agent: components["schemas"]["TaskAgent"] | null;
            backlog: number;
            callers: string[];
            counts: {
                cancelled: number;
                completed: number;
                failed: number;
                missed: number;
            };
            created_at: string;
            created_by: "person" | "agent";
            due_at: string | null;
            ended_at: string | null;
            execution_id: string | null;
            guests: components["schemas"]["TaskGuests"] | null;
            heartbeat: components["schemas"]["TaskHeartbeat"] | null;
            id: string;
            instruction: string;
            kind: "task" | "reminder" | "heartbeat";
            last: components["schemas"]["TaskEnd"] | null;
            late: components["schemas"]["TaskLate"] | null;
            max_retries: number;
            max_seconds: number;
            missed: "once" | "skip" | "all";
            model_group: string | null;
            next_at: string | null;
            notify: "always" | "failures" | "never";
            parent: components["schemas"]["TaskParent"] | null;
            problem: components["schemas"]["TaskFailure"] | null;
            result: components["schemas"]["TaskResultForm"] | null;
            retry_delay_secs: number;
            schedule: components["schemas"]["TaskSchedule"] | null;
            spread_secs: number;
            status: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            timezone: string | null;
            title: string;
            tool_failures: "fail" | "allow";
            tools: string[] | null;
            updated_at: string;
        };
        TaskAgent: {
            handle: string;
            id: string;
        };
        TaskAttempt: {
            chat_id: string | null;
            ended_at: string | null;
            failure: components["schemas"]["TaskFailure"] | null;
            number: number;
            run_id: string | null;
            started_at: string;
            usage: components["schemas"]["TaskUsage"] | null;
        };
        TaskBudgetUsed: {
            runs: number;
            tokens: number;
        };
        TaskDetails: {
            agent: components["schemas"]["TaskAgent"] | null;
            backlog: number;
            budget_used?: components["schemas"]["TaskBudgetUsed"];
            callers: string[];
            counts: {
                cancelled: number;
                completed: number;
                failed: number;
                missed: number;
            };
            created_at: string;
            created_by: "person" | "agent";
            due_at: string | null;
            ended_at: string | null;
            execution_id: string | null;
            guests: components["schemas"]["TaskGuests"] | null;
            heartbeat: components["schemas"]["TaskHeartbeat"] | null;
            id: string;
            instruction: string;
            kind: "task" | "reminder" | "heartbeat";
            last: components["schemas"]["TaskEnd"] | null;
            late: components["schemas"]["TaskLate"] | null;
            max_retries: number;
            max_seconds: number;
            missed: "once" | "skip" | "all";
            model_group: string | null;
            next_at: string | null;
            next_times: string[];
            notify: "always" | "failures" | "never";
            parent: components["schemas"]["TaskParent"] | null;
            problem: components["schemas"]["TaskFailure"] | null;
            result: components["schemas"]["TaskResultForm"] | null;
            retry_delay_secs: number;
            schedule: components["schemas"]["TaskSchedule"] | null;
            spread_secs: number;
            status: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
            timezone: string | null;
            title: string;
            tool_failures: "fail" | "allow";
            tools: string[] | null;
            updated_at: string;
        };
        TaskEnd: {
            at: string;
            execution_id: string;
            failure: components["schemas"]["TaskFailure"] | null;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        };
        TaskExecution: {
            answer: string | null;
            attempts: components["schemas"]["TaskAttempt"][];
            cost_usd: number | null;
            created_at: string;
            ended_at: string | null;
            failure: components["schemas"]["TaskFailure"] | null;
            id: string;
            not_before: string | null;
            parent_execution_id: string | null;
            represents: number;
            result: components["schemas"]["TaskResult"] | null;
            scheduled_for: string | null;
            started_at: string | null;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            task_id: string;
            transitions: components["schemas"]["TaskTransition"][];
            trigger: "now" | "due" | "schedule" | "agent";
            usage: components["schemas"]["TaskUsage"];
            waiting_for: string | null;
            warnings: string[];
        };
        TaskExecutionPage: {
            items: components["schemas"]["TaskExecution"][];
            next_cursor: string | null;
        };
        TaskExecutionState: {
            failure: components["schemas"]["TaskFailure"] | null;
            id: string;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
            waiting_for: string | null;
        };
        TaskFailure: {
            code: string;
            message: string;
        };
        TaskGuests: {
            tools: string[];
        };
        TaskHeartbeat: {
            check: {
                kind: string;
                path?: string;
            };
            looked_at: string | null;
            max_runs: number;
            max_tokens: number;
            outcome: string | null;
        };
        TaskLate: {
            code: string;
            message: string;
            noticed_at: string;
            scheduled_for: string;
        };
        TaskLog: {
            entries: components["schemas"]["TaskLogEntry"][];
        };
        TaskLogEntry: {
            at: string;
            attempt?: number;
            kind: string;
            text: string;
        };
        TaskPage: {
            items: components["schemas"]["Task"][];
            next_cursor: string | null;
        };
        TaskParent: {
            call_id: string;
            depth: number;
            execution_id: string | null;
            run_id: string;
            task_id: string | null;
            waits: boolean;
        };
        TaskResult: {
            value: unknown;
        };
        TaskResultForm: {
            name: string;
            schema: {
                [key: string]: unknown;
            };
        };
        TasksCheck: {
            kind: "tasks";
        };
        TaskSchedule: {
            cron: string;
            timezone: string | null;
        };
        TaskTransition: {
            at: string;
            note: string;
            state: "queued" | "starting" | "running" | "waiting" | "completed" | "failed" | "cancelled";
        };
        TaskTree: {
            children: components["schemas"]["Task"][];
            task: components["schemas"]["Task"];
        };
        TaskUpdatedEvent: {
            data: components["schemas"]["TaskUpdatedEventData"];
            event: "task.updated";
            id: string;
        };
        TaskUpdatedEventData: {
            chat_id?: string;
            execution: components["schemas"]["TaskExecutionState"] | null;
            kind: "task" | "reminder" | "heartbeat";
            next_at: string | null;
            run_id?: string;
            status: ("scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled") | "deleted";
            task_id: string;
            title: string;
        };
        TaskUsage: {
            cached_input_tokens: number;
            input_tokens: number;
            output_tokens: number;
            reasoning_tokens: number;
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
        UpdateTask: {
            agent?: string;
            check?: components["schemas"]["AlwaysCheck"] | components["schemas"]["FileCheck"] | components["schemas"]["TasksCheck"];
            due_at?: string | null;
            instruction?: string;
            max_retries?: number;
            max_runs?: number;
            max_seconds?: number;
            max_tokens?: number;
            missed?: "once" | "skip" | "all";
            model_group?: string | null;
            notify?: "always" | "failures" | "never";
            result?: components["schemas"]["NewTaskResultForm"] | null;
            retry_delay_secs?: number;
            schedule?: components["schemas"]["NewTaskSchedule"] | null;
            spread_secs?: number;
            title?: string;
            tool_failures?: "fail" | "allow";
            tools?: string[] | null;
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
    getNextTimes: {
        parameters: {
            query: {
                count?: number;
                cron: string;
                timezone?: string;
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
                    "application/json": components["schemas"]["NextTimes"];
                };
            };
        };
    };
    listTasks: {
        parameters: {
            query?: {
                agent_id?: string;
                cursor?: string;
                kind?: "task" | "reminder" | "heartbeat";
                limit?: number;
                repeats?: boolean;
                status?: "scheduled" | "queued" | "working" | "waiting" | "paused" | "completed" | "failed" | "cancelled";
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
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTask"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
    updateTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTask"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    cancelTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    listTaskExecutions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskExecutionPage"];
                };
            };
        };
    };
    getTaskExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
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
                    "application/json": components["schemas"]["TaskExecution"];
                };
            };
        };
    };
    cancelTaskExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskExecution"];
                };
            };
        };
    };
    getTaskExecutionLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                execution_id: string;
                task_id: string;
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
                    "application/json": components["schemas"]["TaskLog"];
                };
            };
        };
    };
    pauseTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    resumeTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    runTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetails"];
                };
            };
        };
    };
    getTaskTree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
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
                    "application/json": components["schemas"]["TaskTree"];
                };
            };
        };
    };
}
