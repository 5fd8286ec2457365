-- Posts short statuses.
wrk.method = "POST"
wrk.body = "status=A+short+post+for+the+benchmark"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
