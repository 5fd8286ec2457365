import FeedCore
import HTTPTypes
package import Hummingbird
package import HummingbirdCore

/// All endpoints of the server.
package enum FeedRouter {
    /// The router of all endpoints and middleware.
    package static func build(_ services: Services) -> Router<FeedContext> { assemble(services).router }

    /// The router and the endpoints registered on it.
    static func assemble(_ services: Services) -> (router: Router<FeedContext>, endpoints: [Endpoint]) {
        let router = Router(context: FeedContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ClientAddress(settings: services.site.settings))
        router.add(middleware: RequestObserver(services.monitoring))
        router.add(middleware: SecurityHeaders())
        router.add(middleware: CrossOrigin())
        let problems = ProblemMiddleware(pages: PageController(services: services))
        router.add(middleware: problems)
        router.add(middleware: PathRules(limiter: services.rates))
        router.add(middleware: Authenticate(services: services))
        if let rates = services.rates {
            router.add(middleware: RateLimits(limiter: rates))
            // Added a second time, so that rate limit headers are added to error responses as well.
            router.add(middleware: problems)
        }
        router.add(middleware: ConcurrencyLimit(limiter: services.reads))
        let endpoints = Endpoints(router: router)
        addControllers(services, to: endpoints)
        // A middleware applies only to routes added after it, so this one handles only requests that match no route.
        router.add(middleware: MethodNotAllowed(endpoints: endpoints.all))
        return (router, endpoints.all)
    }

    /// The HTTP server to pass to `Application`.
    /// - Parameters:
    ///   - certificates: For TLS; `nil` for plain HTTP.
    ///   - stored: The responses that may be sent again; `nil` for a router without such responses.
    package static func server(
        _ gate: ConnectionGate, _ certificates: TLSCertificates? = nil, stored: StoredResponses? = nil
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            guard let certificates else { return FeedChannel(responder: responder, gate: gate, stored: stored) }
            return SecureChannel(responder: responder, gate: gate, certificates: certificates, stored: stored)
        }
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
    }
}
