import FeedCore
import HTTPTypes
import NIOCore

/// Makes the pages that are not kept in memory.
struct MemberPage: Sendable {
    let assets: PageAssets
    let baseURL: BaseURL
    let emoji: EmojiCatalog
    let errors: ErrorPage
    let settings: ReloadableSettings

    /// A page with the navigation, but without content.
    func page(for request: Request, _ context: RequestContext) throws -> PageContext {
        try assets.page(for: request, context, base: try baseURL.text(for: request), emoji: emoji.current)
    }

    /// The same with a title, for members only.
    func page(
        _ title: (any PageText) -> String, for request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var page = try page(for: request, context)
        let title = title(page.text)
        page.setTitle("\(title) – \(page.site.title)", heading: title)
        page.set(.noindex, true)
        return page
    }

    func response(
        with page: PageContext, _ context: RequestContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: PageController.policy,
            .cacheControl: context.reader == nil ? "no-cache" : "private, no-cache",
            .vary: "Cookie, Accept-Language, Accept-Encoding",
        ]
        headers[.frameOptions] = context.reader == nil ? nil : "DENY"
        return Response(status: status, headers: headers, body: .init(byteBuffer: .init(bytes: page.html())))
    }
}
