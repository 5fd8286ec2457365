import FeedCore
import FeedStore
import FeedTestSupport

@testable import feedserver

extension TestStore {
    /// Fills the feed with the server's demo without its photos: 60 accounts and 2,000 statuses, the newest a few minutes
    /// old.
    func importDemo() async throws {
        let session = try await ImportSession.begin(in: database)
        let records = DemoGenerator(now: clock.now).records().map { record in
            guard case .status(var status) = record else { return record }
            status.media = nil
            return ImportRecord.status(status)
        }
        try await session.add(records.enumerated().map { (line: $0.offset + 1, record: $0.element) })
        _ = try await session.publish()
    }
}
