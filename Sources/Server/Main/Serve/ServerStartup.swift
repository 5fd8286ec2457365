import FeedTerminal
import Foundation
import NIOCore
import Synchronization

/// The steps between binding the port and handling the first request.
final class ServerStartup: Sendable {
    private let settings: ServeSettings
    private let demo: Demo
    private let problem = Mutex<(any Error)?>(nil)

    /// The error that prevented the server from starting, if any.
    var failure: (any Error)? { problem.withLock { $0 } }

    init(settings: ServeSettings, demo: Demo) {
        self.settings = settings
        self.demo = demo
    }

    /// Sets the demo password and announces the address. Runs after the port is bound, so that a second server that
    /// fails to start on the same folder does not change the password of the first one.
    func run(_ channel: any Channel) async {
        do {
            let login = try await demo.login(settings)
            announce(settings.address(port: channel.localAddress?.port ?? settings.port), login)
        } catch {
            problem.withLock { $0 = error }
            // Closing the channel stops the server before anyone can log in with the documented default password.
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
