/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */
export interface paths {
    "/api/admin/browser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrowserUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/browser/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/search/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSearchState"];
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
        BrowserManagement: {
            accepts: boolean | null;
            queued: number | null;
            running: number | null;
        };
        BrowserTest: {
            kind: string | null;
            management: components["schemas"]["BrowserManagement"];
            ok: boolean;
            product: string | null;
            text: string;
            warnings: string[];
        };
        BrowserUsage: {
            available: boolean;
            reason: string | null;
            sessions: number;
            users: components["schemas"]["BrowserUserSessions"][];
        };
        BrowserUserSessions: {
            sessions: number;
            user_id: string;
        };
        SearchProviderState: {
            available: boolean;
            id: string;
            reason: string | null;
            title: string | null;
        };
        SearchResult: {
            published_at: string | null;
            snippet: string;
            title: string;
            url: string;
        };
        SearchState: {
            available: boolean;
            provider: string | null;
            providers: components["schemas"]["SearchProviderState"][];
            reason: string | null;
            title: string | null;
        };
        SearchTest: {
            code: string | null;
            error: string | null;
            ok: boolean;
            provider: string | null;
            results: components["schemas"]["SearchResult"][];
            title: string | null;
            took_ms: number;
        };
        TestSearch: {
            query?: string;
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
    getBrowserUsage: {
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
                    "application/json": components["schemas"]["BrowserUsage"];
                };
            };
        };
    };
    testBrowser: {
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
                    "application/json": components["schemas"]["BrowserTest"];
                };
            };
        };
    };
    testSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSearch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchTest"];
                };
            };
        };
    };
    getSearchState: {
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
                    "application/json": components["schemas"]["SearchState"];
                };
            };
        };
    };
}
