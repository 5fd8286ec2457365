import FeedStore

/// The controllers of the server.
enum Controllers {
    static func endpoints(_ services: Services) -> [Endpoint] {
        let endpoints = Endpoints()
        addControllers(services, to: endpoints)
        return endpoints.all
    }

    private static func addControllers(_ services: Services, to endpoints: Endpoints) {
        let files = FileController(services: services)
        InstanceController(services: services).addEndpoints(to: endpoints)
        ReadyController(readiness: services.monitoring.readiness).addEndpoints(to: endpoints)
        if let metrics = services.monitoring.metrics { MetricsController(metrics: metrics).addEndpoints(to: endpoints) }
        EmptyLists().addEndpoints(to: endpoints)
        TimelineController(services: services).addEndpoints(to: endpoints)
        StatusController(services: services).addEndpoints(to: endpoints)
        ScheduledStatusController(services: services).addEndpoints(to: endpoints)
        PollController(services: services).addEndpoints(to: endpoints)
        StatusActionController(services: services).addEndpoints(to: endpoints)
        AccountController(services: services).addEndpoints(to: endpoints)
        FollowController(services: services).addEndpoints(to: endpoints)
        FollowListController(services: services).addEndpoints(to: endpoints)
        FollowRequestController(services: services).addEndpoints(to: endpoints)
        BlockController(services: services).addEndpoints(to: endpoints)
        MuteController(services: services).addEndpoints(to: endpoints)
        RelationshipController(services: services).addEndpoints(to: endpoints)
        EndorsementController(services: services).addEndpoints(to: endpoints)
        AccountNoteController(services: services).addEndpoints(to: endpoints)
        FamiliarFollowerController(services: services).addEndpoints(to: endpoints)
        FilterController(services: services).addEndpoints(to: endpoints)
        FilterEntryController(services: services).addEndpoints(to: endpoints)
        OldFilterController(services: services).addEndpoints(to: endpoints)
        ProfileController(services: services).addEndpoints(to: endpoints)
        ListController(services: services).addEndpoints(to: endpoints)
        ListMemberController(services: services).addEndpoints(to: endpoints)
        TagController(services: services).addEndpoints(to: endpoints)
        NotificationController(services: services).addEndpoints(to: endpoints)
        NotificationGroupController(services: services).addEndpoints(to: endpoints)
        NotificationPolicyController(services: services).addEndpoints(to: endpoints)
        MarkerController(services: services).addEndpoints(to: endpoints)
        SearchController(services: services).addEndpoints(to: endpoints)
        ConversationController(services: services).addEndpoints(to: endpoints)
        ChangeController(services: services).addEndpoints(to: endpoints)
        StreamingController(services: services).addEndpoints(to: endpoints)
        FeaturedTagController(services: services).addEndpoints(to: endpoints)
        TrendController(services: services).addEndpoints(to: endpoints)
        DiscoveryController(services: services).addEndpoints(to: endpoints)
        EmojiController(services: services).addEndpoints(to: endpoints)
        ReportController(services: services).addEndpoints(to: endpoints)
        AdminAccountController(services: services).addEndpoints(to: endpoints)
        AdminReportController(services: services).addEndpoints(to: endpoints)
        ApplicationController(services: services).addEndpoints(to: endpoints)
        AuthorizeController(services: services, pages: PageController(services: services)).addEndpoints(to: endpoints)
        TokenController(services: services).addEndpoints(to: endpoints)
        RegistrationController(services: services).addEndpoints(to: endpoints)
        ApprovalController(services: services).addEndpoints(to: endpoints)
        JoinController(services: services, pages: PageController(services: services)).addEndpoints(to: endpoints)
        SessionController(
            passwords: services.login.passwords, sessions: services.sessions,
            page: LoginPage(reader: services.site.reader, settings: services.site.settings),
            pages: PageController(services: services), settings: services.site.settings
        ).addEndpoints(to: endpoints)
        NotificationPageController(
            notifications: services.stores.notifications, reader: services.site.reader, baseURL: services.site.baseURL,
            emoji: services.emoji, pages: PageController(services: services), settings: services.site.settings
        ).addEndpoints(to: endpoints)
        ComposeController(
            accounts: services.stores.accounts, statuses: services.stores.statuses, rates: services.rates,
            baseURL: services.site.baseURL,
            page: ComposePage(reader: services.site.reader, settings: services.site.settings),
            pages: PageController(services: services), settings: services.site.settings
        ).addEndpoints(to: endpoints)
        MetadataController(services: services).addEndpoints(to: endpoints)
        if let processing = services.processing {
            MediaController(services: services, processing: processing).addEndpoints(to: endpoints)
            PictureController(services: services).addEndpoints(to: endpoints)
            MediaFileController(services: services).addEndpoints(to: endpoints)
        }
        files.addEndpoints(to: endpoints)
        ClassicController(services: services, files: files).addEndpoints(to: endpoints)
        ImageController(services: services).addEndpoints(to: endpoints)
        PageController(services: services).addEndpoints(to: endpoints)
        FeedController(services: services).addEndpoints(to: endpoints)
    }
}
