import FeedAPI
import FeedCore
import FeedStore

/// The viewer's read positions.
struct MarkerController: Sendable {
    let markers: MarkerStore
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.markers, .account(.readStatuses), use: show)
        endpoints.post(Paths.markers, .account(.writeStatuses), use: move)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let timelines = try request.query.all("timeline").compactMap(Marker.Timeline.init)
        return Self.response(for: try await markers.markers(of: viewer.account.id, Set(timelines)))
    }

    @Sendable func move(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        var positions: [Marker.Timeline: Int64] = [:]
        positions[.home] = try input.id(.homeLastReadID)
        positions[.notifications] = try input.id(.notificationsLastReadID)
        let versions = try await versions(of: positions.keys, input, viewer.account.id)
        return Self.response(
            for: try await markers.move(positions, from: versions, of: viewer.account.id))
    }

    /// The versions of the markers that the client has seen, or otherwise those at the time of the request.
    private func versions(
        of timelines: some Collection<Marker.Timeline>, _ input: RequestParameters, _ account: Int64
    ) async throws -> [Marker.Timeline: Int?] {
        let stored = try await markers.markers(of: account, Set(timelines))
        let names: [Marker.Timeline: IntegerParameter] = [
            .home: .homeVersion, .notifications: .notificationsVersion,
        ]
        return try timelines.reduce(into: [:]) { versions, timeline in
            let expected = try names[timeline].flatMap {
                try input.integer($0, in: 0...Int64(Int32.max), "Version must be a number")
            }
            versions.updateValue(
                expected.map { Int($0) } ?? stored.first { $0.timeline == timeline }?.version, forKey: timeline)
        }
    }

    private static func response(for markers: [Marker]) -> Response {
        var json = JSONWriter(capacity: 256)
        json.object { for marker in markers { $0.marker(marker) } }
        return Response(json: json)
    }
}

extension JSONWriter {
    /// Writes a Marker entity under the name of its timeline.
    fileprivate mutating func marker(_ marker: Marker) {
        dynamicKey(marker.timeline.rawValue)
        object {
            $0.field("last_read_id", id: marker.lastReadID)
            $0.field("version", marker.version)
            $0.field("updated_at", time: marker.updatedAt)
        }
    }
}
