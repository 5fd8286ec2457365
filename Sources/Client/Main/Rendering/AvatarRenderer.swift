import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Loads avatars, encoded for the terminal.
struct AvatarRenderer {
    private static let rows = 2

    let images: ImageOption
    let global: GlobalOptions

    /// The avatars of the authors, by URL. A picture that cannot be loaded is omitted.
    /// - Parameter onlyCached: Whether to do without requests.
    func load(_ statuses: [Entity.Status], onlyCached: Bool = false) async throws -> [String: String] {
        let kind = style
        guard kind != .none else { return [:] }
        let urls = Set(statuses.compactMap { ($0.reblog?.value ?? $0).account.avatar })
        return try await global.use { client in
            guard let cache = try? AvatarCache(folder: GlobalOptions.folders.cache, client: client) else { return [:] }
            let pictures = await withTaskGroup(of: (String, String)?.self) { group in
                for url in urls {
                    group.addTask {
                        let image = onlyCached ? await cache.cachedImage(at: url) : try? await cache.image(at: url)
                        return image.flatMap { Self.text($0, kind) }.map { (url, $0) }
                    }
                }
                return await group.reduce(into: [String: String]()) { result, pair in
                    if let (url, text) = pair { result[url] = text }
                }
            }
            await cache.close()
            return pictures
        }
    }

    private var style: PictureProtocol {
        switch images {
        case .auto:
            let isTerminal = TerminalCapabilities.current().isOutput
            return PictureProtocol.detect(environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal)
        case .none: return .none
        case .kitty: return .kitty
        case .iterm: return .iterm
        }
    }

    /// The escape sequence of a picture, padded with spaces to the width of the cell.
    private static func text(_ image: AvatarImage, _ kind: PictureProtocol) -> String? {
        let columns = StatusRenderer.cell - 1
        switch kind {
        case .kitty where image.type == .png:
            return KittyPicture.text(png: image.bytes, columns: columns, rows: rows)
                .map { $0 + String(repeating: " ", count: StatusRenderer.cell) }
        case .iterm:
            return ITermPicture.text(image.bytes, columns: columns, rows: rows) + " "
        default: return nil
        }
    }
}
