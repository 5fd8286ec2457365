import FeedFiles
import Foundation
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

extension MaintenanceTask {
    /// Says which images get no thumbnails, because a library is missing. The libraries are only loaded in a process of
    /// their own.
    static func reportMissingLibraries(logger: Logger) -> MaintenanceTask {
        let isDone = Mutex(false)
        return MaintenanceTask(name: "look for image libraries", interval: .seconds(86_400), logger: logger) {
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            guard isFirst else { return }
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
            process.arguments = [MediaArguments.command, "--lists-missing"]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let formats = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !formats.isEmpty else { return }
            logger.notice(
                "images of some formats get no thumbnails, because a library is missing",
                metadata: ["formats": "\(formats)"])
        }
    }
}
