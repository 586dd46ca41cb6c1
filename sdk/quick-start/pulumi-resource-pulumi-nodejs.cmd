@node "%~dp0..\..\dist\sdk\dynamicHost.js" %*
