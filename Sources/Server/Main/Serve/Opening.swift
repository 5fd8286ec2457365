import FeedTerminal
import Foundation
import NIOCore
import Synchronization

/// What is done between having the port and answering the first request.
final class Opening: Sendable {
    private let settings: ServeSettings
    private let demo: Demo
    private let problem = Mutex<(any Error)?>(nil)

    /// Why the server did not open.
    var failure: (any Error)? { problem.withLock { $0 } }

    init(settings: ServeSettings, demo: Demo) {
        self.settings = settings
        self.demo = demo
    }

    /// Only who has the port may change the demo's password: another server on this folder would be locked out.
    func run(_ channel: any Channel) async {
        do {
            let login = try await demo.login(settings)
            announce(settings.address(port: channel.localAddress?.port ?? settings.port), login)
        } catch {
            problem.withLock { $0 = error }
            // Closed before anybody gets in with a password that stands in a manual; that ends the server.
            try? await channel.close()
        }
    }

    private func announce(_ address: String, _ login: Demo.Login?) {
        if let login {
            StandardError.line("open \(address) in a browser; log in as \(login.username) with \(login.password)")
        }
        try? FileHandle.standardOutput.write(contentsOf: Data("listening on \(address)\n".utf8))
    }
}
