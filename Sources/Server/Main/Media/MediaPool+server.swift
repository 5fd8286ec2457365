import FeedFiles
import Logging
import Synchronization

extension MediaPool {
    /// The pool of a server. It logs once which restrictions of its processes the kernel refuses, and every process that
    /// ends without a report: a file has crashed a decoder, or taken it over.
    static func serving(_ blobs: BlobStore, logger: Logger) -> MediaPool {
        let isReported = Mutex(false)
        let report: @Sendable (String) -> Void = { missing in
            let isFirst = isReported.withLock { reported in
                defer { reported = true }
                return !reported
            }
            guard isFirst else { return }
            logger.warning("images are processed with fewer restrictions", metadata: ["missing": "\(missing)"])
        }
        return MediaPool(blobs: blobs, report: report) { crash in
            logger.warning("an upload could not be processed", metadata: ["reason": "\(crash.reason)"])
        }
    }
}
