import FeedCore
import FeedStore
package import Logging

/// The routes of the server: each controller gets the parts that it uses.
extension Services {
    package func endpoints() -> [Endpoint] {
        let endpoints = Endpoints()
        addInstance(to: endpoints)
        addTimelines(to: endpoints)
        addStatuses(to: endpoints)
        addAccounts(to: endpoints)
        addRelationships(to: endpoints)
        addFiltersAndLists(to: endpoints)
        addTags(to: endpoints)
        addModeration(to: endpoints)
        addOAuth(to: endpoints)
        addRegistration(to: endpoints)
        let media = processing.map {
            MediaServices(uploads: uploads, media: stores.media, processing: $0, queue: mediaQueue)
        }
        addFiles(media, to: endpoints)
        addPages(to: endpoints)
        addProfiles(to: endpoints)
        addMemberPages(to: endpoints)
        addSettings(media, to: endpoints)
        addAdministration(to: endpoints)
        addStreams(to: endpoints)
        return endpoints.all
    }

    var settings: ReloadableSettings { site.settings }
    var errors: ErrorPage { ErrorPage(assets: site.assets) }
    private var csrf: CSRFProtection { CSRFProtection(site, clock: clock) }
    var sessions: Sessions { Sessions(grants: login.grants, tokens: login.tokens, baseURL: site.baseURL) }
    var uploads: FileServices {
        FileServices(files: stores.files, blobs: blobs, settings: settings, clock: clock)
    }
    var relationships: Relationships {
        Relationships(accounts: stores.accounts, relationships: stores.relationships)
    }
    private var tagEntities: TagEntities {
        TagEntities(tags: stores.tags, follows: stores.tagFollows, contexts: contexts)
    }
    private var credentialAccounts: CredentialAccounts {
        CredentialAccounts(follows: stores.follows, contexts: contexts)
    }
    var finder: Finder {
        Finder(search: stores.search, accounts: stores.accounts, statuses: stores.statuses)
    }
    var memberPages: MemberPage {
        MemberPage(assets: site.assets, baseURL: site.baseURL, emoji: emoji, errors: errors, settings: settings)
    }
    private var streamAccess: StreamAccess { StreamAccess(tokens: stores.tokens, lists: stores.lists) }
}

// The API.
extension Services {
    private func addInstance(to endpoints: Endpoints) {
        InstanceController(
            accounts: stores.accounts,
            // A few hundred bytes.
            countsByDay: ChangeLogCache(log: log, limit: 4, name: "counts"), pages: pages,
            registration: login.registration, acceptsMedia: processing != nil, version: site.version,
            contexts: contexts, settings: settings, clock: clock
        ).addEndpoints(to: endpoints)
        HealthController(readiness: monitoring.readiness).addEndpoints(to: endpoints)
        if let metrics = monitoring.metrics { MetricsController(metrics: metrics).addEndpoints(to: endpoints) }
        EmptyLists().addEndpoints(to: endpoints)
        EmojiController(contexts: contexts).addEndpoints(to: endpoints)
    }

    private func addTimelines(to endpoints: Endpoints) {
        TimelineController(
            templates: templates, lists: stores.lists, accounts: stores.accounts, pages: pages,
            timelineSources: timelineSources, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
        ConversationController(conversations: stores.conversations, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        NotificationController(notifications: stores.notifications, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        NotificationGroupController(notifications: stores.notifications, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        NotificationPolicyController(settings: settings).addEndpoints(to: endpoints)
        MarkerController(markers: stores.markers, settings: settings).addEndpoints(to: endpoints)
    }

    private func addStatuses(to endpoints: Endpoints) {
        StatusController(
            statuses: stores.statuses, edits: stores.edits, publishing: publishing, contexts: contexts,
            settings: settings
        ).addEndpoints(to: endpoints)
        StatusActionController(
            statuses: stores.statuses, boosts: stores.boosts, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
        ScheduledStatusController(
            scheduledStatuses: stores.scheduledStatuses, publishing: publishing, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
        PollController(polls: stores.polls, statuses: stores.statuses, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
    }

    private func addAccounts(to endpoints: Endpoints) {
        AccountController(
            accounts: stores.accounts, credentialAccounts: credentialAccounts, pages: pages, contexts: contexts,
            settings: settings
        ).addEndpoints(to: endpoints)
        SearchController(finder: finder, tagEntities: tagEntities, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        SuggestionController(suggestions: stores.suggestions, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
    }

    private func addRelationships(to endpoints: Endpoints) {
        let (accounts, follows) = (stores.accounts, stores.follows)
        RelationshipController(relationships: stores.relationships, settings: settings).addEndpoints(to: endpoints)
        FollowController(follows: follows, relationships: relationships, settings: settings)
            .addEndpoints(to: endpoints)
        FollowListController(follows: follows, accounts: accounts, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        FollowRequestController(follows: follows, relationships: relationships, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        FamiliarFollowerController(follows: follows, accounts: accounts, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        BlockController(blocks: stores.blocks, relationships: relationships, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
        MuteController(
            mutes: stores.mutes, relationships: relationships, contexts: contexts, settings: settings, clock: clock
        ).addEndpoints(to: endpoints)
        EndorsementController(
            endorsements: stores.endorsements, accounts: accounts, relationships: relationships, contexts: contexts,
            settings: settings
        ).addEndpoints(to: endpoints)
        AccountNoteController(notes: stores.notes, relationships: relationships, settings: settings)
            .addEndpoints(to: endpoints)
    }

    private func addFiltersAndLists(to endpoints: Endpoints) {
        FilterController(filters: stores.filters, settings: settings, clock: clock).addEndpoints(to: endpoints)
        FilterKeywordController(filters: stores.filters, settings: settings).addEndpoints(to: endpoints)
        FilterV1Controller(filters: stores.filters, settings: settings, clock: clock).addEndpoints(to: endpoints)
        ListController(lists: stores.lists, accounts: stores.accounts, settings: settings).addEndpoints(to: endpoints)
        ListMemberController(lists: stores.lists, contexts: contexts, settings: settings).addEndpoints(to: endpoints)
    }

    private func addTags(to endpoints: Endpoints) {
        TagController(
            tagFollows: stores.tagFollows, tagEntities: tagEntities, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
        FeaturedTagController(
            tags: stores.featuredTags, accounts: stores.accounts, tagEntities: tagEntities, contexts: contexts,
            settings: settings
        ).addEndpoints(to: endpoints)
        TrendController(
            trends: stores.trends, statuses: stores.statuses, tagEntities: tagEntities, contexts: contexts
        ).addEndpoints(to: endpoints)
    }

    private func addModeration(to endpoints: Endpoints) {
        ReportController(reports: stores.reports, contexts: contexts, settings: settings).addEndpoints(to: endpoints)
        AdminAccountController(
            moderation: stores.moderation, registrations: stores.registrations, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
        AdminReportController(reports: stores.reports, contexts: contexts, settings: settings)
            .addEndpoints(to: endpoints)
    }
}

// OAuth, registration, files, pages and streams.
extension Services {
    private func addOAuth(to endpoints: Endpoints) {
        AppController(applications: stores.applications, settings: settings).addEndpoints(to: endpoints)
        AuthorizationController(
            applications: stores.applications, passwords: login.passwords, grants: login.grants,
            assets: site.assets, errors: errors, csrf: csrf, settings: settings
        ).addEndpoints(to: endpoints)
        TokenController(
            applications: stores.applications, passwords: login.passwords, grants: login.grants, settings: settings,
            clock: clock
        ).addEndpoints(to: endpoints)
        OAuthMetadataController(baseURL: site.baseURL).addEndpoints(to: endpoints)
        SessionController(
            tokens: stores.tokens, passwordChange: login.passwordChange, contexts: contexts, settings: settings
        ).addEndpoints(to: endpoints)
    }

    private func addRegistration(to endpoints: Endpoints) {
        RegistrationController(
            registration: login.registration, applications: stores.applications, grants: login.grants,
            settings: settings, clock: clock
        ).addEndpoints(to: endpoints)
        ApprovalController(registrations: stores.registrations, contexts: contexts).addEndpoints(to: endpoints)
        RegistrationPageController(
            registration: login.registration, rates: rates,
            assets: site.assets, baseURL: site.baseURL, errors: errors,
            csrf: csrf, sessions: sessions, settings: settings
        ).addEndpoints(to: endpoints)
        PasswordResetPageController(
            resets: login.passwordResets, assets: site.assets, errors: errors, settings: settings
        ).addEndpoints(to: endpoints)
        LoginPageController(
            passwords: login.passwords, sessions: sessions, page: LoginPage(assets: site.assets),
            errors: errors, settings: settings
        ).addEndpoints(to: endpoints)
    }

    private func addFiles(_ media: MediaServices?, to endpoints: Endpoints) {
        ProfileController(
            accounts: stores.accounts, credentialAccounts: credentialAccounts, media: media, baseURL: site.baseURL,
            settings: settings
        ).addEndpoints(to: endpoints)
        if let media {
            MediaController(services: media, contexts: contexts).addEndpoints(to: endpoints)
            PictureController(
                accounts: stores.accounts, credentialAccounts: credentialAccounts, settings: settings
            ).addEndpoints(to: endpoints)
            MediaFileController(media: stores.media, blobs: blobs, clock: clock).addEndpoints(to: endpoints)
        }
        ComposePageController(
            statuses: stores.statuses, publishing: publishing,
            uploads: ComposeUploads(
                store: stores.media, services: media, counts: ComposeCounts(rates: rates), settings: settings),
            baseURL: site.baseURL,
            page: ComposePage(assets: site.assets, settings: settings, acceptsMedia: media != nil), errors: errors,
            clock: clock
        ).addEndpoints(to: endpoints)
        let files = FileController(services: uploads, baseURL: site.baseURL)
        files.addEndpoints(to: endpoints)
        ClassicController(
            timelines: stores.timelines, passwords: login.passwords, baseURL: site.baseURL, settings: settings,
            files: files
        ).addEndpoints(to: endpoints)
    }

    private func addStreams(to endpoints: Endpoints) {
        ChangesController(streams: stores.streams, log: log, tokens: login.tokens, contexts: contexts, reads: reads)
            .addEndpoints(to: endpoints)
        StreamController(streams: streams, access: streamAccess, baseURL: site.baseURL, settings: settings)
            .addEndpoints(to: endpoints)
    }

    package func publisher(logger: Logger) -> StreamPublisher {
        StreamPublisher(
            log: log,
            replay: StreamReplay(
                streams: streams, access: streamAccess, missed: missedEvents, limitsReplays: rates != nil,
                clock: clock, logger: logger))
    }

    var missedEvents: MissedEvents {
        MissedEvents(
            changes: stores.changes, streams: stores.streams,
            payloads: EventPayloads(
                statuses: stores.statuses, notifications: stores.notifications, conversations: stores.conversations,
                contexts: contexts))
    }
}
