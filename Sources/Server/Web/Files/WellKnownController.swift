import FeedCore
package import FeedFiles
import HTTPTypes
import NIOCore
import Synchronization

/// The operator's files at `/.well-known/NAME`. The server's own documents take precedence.
struct WellKnownController: Sendable {
    let catalog: WellKnownCatalog

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/.well-known/:name", .open) { request, context in
            guard let file = catalog.current.files[Array(try context.segment("name").utf8)] else {
                throw FeedError.notFound
            }
            return FileResponse.response(
                to: request, bytes: ByteBuffer(bytes: file.content), type: file.type, tag: EntityTag(of: file.content),
                headers: [.cacheControl: "no-cache", .contentSecurityPolicy: "default-src 'none'; sandbox"])
        }
    }
}

/// The operator's files as they were last read.
package final class WellKnownCatalog: Sendable {
    private let folder = Mutex(WellKnownFolder())

    package init() {}

    package var current: WellKnownFolder { folder.withLock { $0 } }

    package func replace(with new: WellKnownFolder) { folder.withLock { $0 = new } }
}
