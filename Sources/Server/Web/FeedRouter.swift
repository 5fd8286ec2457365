import FeedCore
import HTTPTypes
package import Hummingbird
package import HummingbirdCore

/// All addresses of the server.
package enum FeedRouter {
    package static func build(_ services: Services) -> Router<FeedContext> {
        let router = Router(context: FeedContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AccessLog())
        router.add(middleware: SecurityHeaders())
        router.add(middleware: CrossOrigin())
        let problems = ProblemMiddleware(pages: PageController(services: services))
        router.add(middleware: problems)
        router.add(middleware: PathRules())
        router.add(middleware: Authenticate(services: services))
        if let rates = services.rates {
            router.add(middleware: RateLimits(limiter: rates))
            // Once more inside: an error's answer shall say too how many requests are left.
            router.add(middleware: problems)
        }
        router.add(middleware: ConcurrencyLimit(turns: ConcurrencyLimiter()))
        router.add(middleware: ScopeCheck())
        addFaces(services, to: router)
        // A middleware acts on what is added after it: this one only on requests that no route takes.
        router.add(middleware: MethodNotAllowed(routes: router.routes.map { ($0.path, $0.method) }))
        return router
    }

    /// The server's connections, to be handed to `Application`.
    package static func server() -> HTTPServerBuilder {
        HTTPServerBuilder { responder in FeedChannel(responder: responder, limits: .init()) }
    }

    private static func addFaces(_ services: Services, to router: Router<FeedContext>) {
        let files = FileController(services: services)
        InstanceController(services: services).addRoutes(to: router)
        EmptyLists().addRoutes(to: router)
        TimelineController(services: services).addRoutes(to: router)
        StatusController(services: services).addRoutes(to: router)
        StatusActionController(services: services).addRoutes(to: router)
        AccountController(services: services).addRoutes(to: router)
        FollowController(services: services).addRoutes(to: router)
        FollowListController(services: services).addRoutes(to: router)
        FollowRequestController(services: services).addRoutes(to: router)
        BlockController(services: services).addRoutes(to: router)
        MuteController(services: services).addRoutes(to: router)
        RelationshipController(services: services).addRoutes(to: router)
        ProfileController(services: services).addRoutes(to: router)
        NotificationController(services: services).addRoutes(to: router)
        MarkerController(services: services).addRoutes(to: router)
        SearchController(services: services).addRoutes(to: router)
        ApplicationController(services: services).addRoutes(to: router)
        AuthorizeController(services: services, pages: PageController(services: services)).addRoutes(to: router)
        TokenController(services: services).addRoutes(to: router)
        RegistrationController(services: services).addRoutes(to: router)
        MetadataController(services: services).addRoutes(to: router)
        files.addRoutes(to: router)
        ClassicController(services: services, files: files).addRoutes(to: router)
        ImageController(services: services).addRoutes(to: router)
        PageController(services: services).addRoutes(to: router)
    }
}
