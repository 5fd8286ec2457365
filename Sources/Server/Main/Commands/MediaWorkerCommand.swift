import ArgumentParser
import FeedCore
import FeedFiles
import FeedImages
import Foundation
import Logging
import Synchronization

/// `feedserver process-media`: handles one upload in a process of its own, started by ``MediaPool``.
///
/// Descriptor 0 is the upload, a regular file. The copy without metadata is written to descriptor 3, the thumbnail, if
/// there is one, to descriptor 4, and a ``MediaReport`` to standard output. The exit code is 0, even if the file is
/// refused; anything else is a crash.
struct MediaWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: MediaArguments.command, abstract: "Process one upload (internal).", shouldDisplay: false)

    @Flag(help: "Print the formats of images that no installed library decodes.") var listsMissing = false
    @Argument(help: "Bytes of an image, bytes of a video, pixels of an image, pixels of a thumbnail.")
    var limits: [Int] = []

    func validate() throws {
        if listsMissing { return }
        guard MediaArguments(limits) != nil else { throw ValidationError("Four limits are required.") }
    }

    func run() throws {
        if listsMissing { return print(ImageLibraries.load().missingFormats.joined(separator: ", ")) }
        guard let arguments = MediaArguments(limits) else { throw ExitCode.validationFailure }
        // Afterwards no file can be opened, so the libraries come first.
        let maker = ThumbnailMaker(libraries: .load(), limits: arguments.limits)
        let missing = MediaSandbox.enter(fileBytes: arguments.limits.uploadBytes)
        let report = MediaReport(MediaWorker(maker: maker).process(), missingRestrictions: missing)
        // Without the cleaning up of `exit`, which might need a call that is forbidden now.
        _exit(DescriptorOutput.write(report.line, to: STDOUT_FILENO) ? 0 : 1)
    }
}

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
