import FeedAPI
import FeedCore
import Hummingbird

/// What this server says about itself.
struct InstanceController: Sendable {
    /// The version of the Mastodon API these answers follow; clients look at its first three numbers.
    static let apiVersion = "4.2.0"

    let services: Services

    func addRoutes(to router: Router<FeedContext>) {
        router.get("/api/v1/instance", use: show)
        router.get("/health") { _, _ in "OK" }
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        let base = try services.baseURL.text(for: request)
        let counts = try await services.accounts.counts()
        var json = JSONWriter(capacity: 2048)
        json.object {
            $0.field("uri", base.split(separator: "/").last.map(String.init))
            $0.field("title", services.reader.site)
            $0.field("short_description", "A feed served by feedserver.")
            $0.field("description", "A feed served by feedserver.")
            $0.field("email", "")
            $0.field("version", "\(Self.apiVersion) (compatible; feedserver \(services.version))")
            $0.object("urls") { $0.field("streaming_api", base.replacing("http", with: "ws", maxReplacements: 1)) }
            $0.object("stats") {
                $0.field("user_count", counts.accounts)
                $0.field("status_count", counts.statuses)
                $0.field("domain_count", 0)
            }
            $0.field("thumbnail", nil)
            $0.array("languages") { $0.string("en") }
            $0.field("registrations", false)
            $0.field("approval_required", false)
            $0.field("invites_enabled", false)
            $0.configuration(services.limits)
            $0.field("contact_account", nil)
            $0.empty("rules")
        }
        return Response(json: json)
    }
}

extension JSONWriter {
    /// The limits an app has to keep to.
    fileprivate mutating func configuration(_ limits: Limits) {
        object("configuration") {
            $0.object("accounts") { $0.field("max_featured_tags", 0) }
            $0.object("statuses") {
                $0.field("max_characters", limits.statusCharacters)
                $0.field("max_media_attachments", 0)
                $0.field("characters_reserved_per_url", limits.linkLength)
            }
            $0.object("media_attachments") {
                $0.empty("supported_mime_types")
                $0.field("image_size_limit", 0)
                $0.field("image_matrix_limit", 0)
                $0.field("video_size_limit", 0)
                $0.field("video_frame_rate_limit", 0)
                $0.field("video_matrix_limit", 0)
            }
            $0.object("polls") {
                $0.field("max_options", 0)
                $0.field("max_characters_per_option", 0)
                $0.field("min_expiration", 0)
                $0.field("max_expiration", 0)
            }
        }
    }
}
