import FeedAPI
import FeedClientKit
import FeedTerminal

/// Prints statuses with their pictures.
struct StatusOutput {
    /// Columns that are kept free for the marks of a conversation.
    static let threadInset = 16

    let images: ImageOption
    let global: GlobalOptions
    /// Columns in front of each status.
    var inset = 0

    /// - Parameters:
    ///   - renderer: Renders statuses without pictures.
    ///   - request: The pictures to load.
    ///   - lines: All lines, made with a renderer that shows pictures or does not.
    func show(
        _ renderer: StatusRenderer, _ request: StatusPictures.Request, lines: (StatusRenderer) -> [String]
    ) async throws {
        let output = ScreenOutput()
        let plain = lines(renderer)
        let kind = images.pictureProtocol(output.screen)
        // A pager passes only half blocks on. Whoever chooses a protocol wants pictures more than the pager.
        guard kind != .none, kind == .blocks || images != .auto || output.pager(for: plain) == nil else {
            return output.show(plain)
        }
        let pictures = try await load(request, kind, renderer)
        output.show(lines(pictures.shown(by: renderer)), isPaged: kind == .blocks)
    }

    /// A renderer that shows the pictures of a single status.
    func renderer(_ renderer: StatusRenderer, for status: Entity.Status) async throws -> StatusRenderer {
        let kind = images.pictureProtocol(.current())
        guard kind != .none else { return renderer }
        var request = StatusPictures.Request()
        request.add(status.reblog?.value ?? status, shownBy: renderer)
        return try await load(request, kind, renderer).shown(by: renderer)
    }

    private func load(
        _ request: StatusPictures.Request, _ kind: PictureProtocol, _ renderer: StatusRenderer
    ) async throws -> StatusPictures {
        let encoder = PictureEncoder(kind: kind, columns: max(1, renderer.pictureColumns - inset))
        return try await StatusPictures.load(request, for: encoder, global: global)
    }
}
